package githistory

import "container/heap"

// oldestFirst orders commits so that parents stand before children and, among those that may come next, the
// oldest committer time is first, then the smallest id. The order does not depend on that of nodes.
func oldestFirst(nodes []node) []node {
	byID := make(map[string]int, len(nodes))
	for i, n := range nodes {
		byID[n.id] = i
	}
	waiting := make([]int, len(nodes)) // parents of the set still to come
	children := make([][]int, len(nodes))
	for i, n := range nodes {
		for _, parent := range n.parents {
			if p, ok := byID[parent]; ok {
				waiting[i]++
				children[p] = append(children[p], i)
			}
		}
	}
	ready := &nodeHeap{}
	for i, n := range nodes {
		if waiting[i] == 0 {
			heap.Push(ready, n)
		}
	}
	ordered := make([]node, 0, len(nodes))
	for ready.Len() > 0 {
		n := heap.Pop(ready).(node)
		ordered = append(ordered, n)
		for _, child := range children[byID[n.id]] {
			if waiting[child]--; waiting[child] == 0 {
				heap.Push(ready, nodes[child])
			}
		}
	}
	return ordered
}

// nodeHeap has the oldest commit on top, ties by id.
type nodeHeap []node

// Len is the number of nodes, for container/heap.
func (h nodeHeap) Len() int { return len(h) }

// Less is true for the older node, of equals for the smaller id.
func (h nodeHeap) Less(i, j int) bool {
	if h[i].time != h[j].time {
		return h[i].time < h[j].time
	}
	return h[i].id < h[j].id
}

// Swap exchanges two nodes, for container/heap.
func (h nodeHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push adds a node, for container/heap.
func (h *nodeHeap) Push(x any) { *h = append(*h, x.(node)) }

// Pop removes the last node, for container/heap.
func (h *nodeHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
