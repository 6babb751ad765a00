package tables

// panels splits the columns of a table that is wider than a line or page into
// parts that fit, each a list of column numbers that begins with the stubs. Parts
// break before a group of columns rather than within it where that is possible.
// widths has the room each column takes; a limit of 0 is no limit.
func panels(columns []Column, widths []int, limit int) [][]int {
	var stubs []int
	base := 0
	for i, c := range columns {
		if c.Stub {
			stubs, base = append(stubs, i), base+widths[i]
		}
	}
	var done [][]int
	part, room := append([]int{}, stubs...), base
	add := func(from, to int) {
		need := total(widths[from:to])
		if limit > 0 && room+need > limit && len(part) > len(stubs) {
			done = append(done, part)
			part, room = append([]int{}, stubs...), base
		}
		for ; from < to; from++ {
			part = append(part, from)
		}
		room += need
	}
	for i := len(stubs); i < len(columns); {
		end := groupEnd(columns, i)
		if limit > 0 && base+total(widths[i:end]) > limit { // no part holds the group: its columns go one by one
			for ; i < end; i++ {
				add(i, i+1)
			}
			continue
		}
		add(i, end)
		i = end
	}
	return append(done, part)
}

func total(widths []int) int {
	sum := 0
	for _, w := range widths {
		sum += w
	}
	return sum
}

// groupEnd is the end of the run of columns of the same group that begins at i.
func groupEnd(columns []Column, i int) int {
	end := i + 1
	for columns[i].Group != "" && end < len(columns) && columns[end].Group == columns[i].Group {
		end++
	}
	return end
}

// A span is a run of neighbouring columns of a panel under one group heading.
type span struct {
	group       string
	first, last int // positions in the panel
}

// spans are the group headings over a panel; nil if it has none.
func spans(columns []Column, panel []int) []span {
	var all []span
	grouped := false
	for at, i := range panel {
		group := columns[i].Group
		grouped = grouped || group != ""
		if n := len(all); n > 0 && group != "" && all[n-1].group == group {
			all[n-1].last = at
			continue
		}
		all = append(all, span{group, at, at})
	}
	if !grouped {
		return nil
	}
	return all
}
