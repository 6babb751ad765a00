package bm25

import "hash/maphash"

// dictionary numbers words in the order of their first appearance. Source code has millions of distinct names, most of
// which stand in one file: a word costs its bytes and some ten more, a third of a map of strings.
type dictionary struct {
	seed  maphash.Seed // decides where a word is kept, not its number
	text  []byte       // all words, one behind the other
	ends  []uint32     // where each word ends in text
	slots []uint32     // one more than a word's number, 0 where free; a power of two long, at most 3/4 full
}

func newDictionary() dictionary {
	return dictionary{seed: maphash.MakeSeed(), slots: make([]uint32, 1024)}
}

// word is the text of a number.
func (d *dictionary) word(id uint32) []byte {
	start := uint32(0)
	if id > 0 {
		start = d.ends[id-1]
	}
	return d.text[start:d.ends[id]]
}

// find is the slot of a word, or the free one where it belongs.
func (d *dictionary) find(word []byte) *uint32 {
	mask := uint64(len(d.slots) - 1)
	for at := maphash.Bytes(d.seed, word) & mask; ; at = (at + 1) & mask {
		slot := &d.slots[at]
		if *slot == 0 || string(d.word(*slot-1)) == string(word) {
			return slot
		}
	}
}

// number is that of a word, if it has one.
func (d *dictionary) number(word []byte) (id uint32, ok bool) {
	slot := *d.find(word)
	return slot - 1, slot > 0
}

// add is the number of a word, a new one where it has none.
func (d *dictionary) add(word []byte) (id uint32, added bool) {
	slot := d.find(word)
	if *slot > 0 {
		return *slot - 1, false
	}
	id = uint32(len(d.ends))
	*slot = id + 1
	d.text = append(d.text, word...)
	d.ends = append(d.ends, uint32(len(d.text)))
	if len(d.ends) > len(d.slots)/4*3 {
		d.grow()
	}
	return id, true
}

func (d *dictionary) grow() {
	d.slots = make([]uint32, 2*len(d.slots))
	for id := range d.ends {
		*d.find(d.word(uint32(id))) = uint32(id) + 1
	}
}
