package tables

import "strings"

// A NumberFormat is how the numbers of a column are printed. Rounding happens
// here and nowhere else.
type NumberFormat struct {
	// Digits is the number of digits after the decimal point.
	Digits int `json:"digits,omitzero"`
	// Shift prints a number divided by 10^Shift; the unit of the column says so.
	Shift int `json:"shift,omitzero"`
	// Thousands sets the digits of numbers with five or more digits before the
	// point apart in groups of three, by a narrow space: a comma would be lost
	// among those of an interval.
	Thousands bool `json:"thousands,omitzero"`
	// Signed writes + before a positive number, for differences.
	Signed bool `json:"signed,omitzero"`
}

// printed is a cell as it is read: what counts, and what qualifies it (interval,
// coverage, reason), which formats with little room put on a line of its own.
type printed struct {
	main   string
	detail string
}

// indentation stands before the name of an indented row; blanks that join, since
// formats drop others at the beginning of a text.
const indentation = "\u00a0\u00a0"

// printCell is the cell of a column in a row, set in where the row is and the
// column is the last that names it.
func (g Grid) printCell(r Row, column int, minus string) printed {
	p := r.Cells[column].print(g.Columns[column].Format, minus)
	if r.Indent && g.Columns[column].Stub && (column+1 == len(g.Columns) || !g.Columns[column+1].Stub) {
		p.main = indentation + p.main
	}
	return p
}

// line is the cell on one line.
func (p printed) line() string { return joined(p.main, p.detail) }

// joined joins what is not empty by a blank.
func joined(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

// narrowSpace separates groups of digits (U+202F, never broken).
const narrowSpace = "\u202f"

// The two minus signs: the one that programs read, and the typographic one.
const (
	minusASCII = "-"
	minusSign  = "\u2212"
)

// A printer prints the numbers of one column.
type printer struct {
	format NumberFormat
	minus  string
}

// number prints n rounded; markMissing if it is absent.
func (p printer) number(n Number) string {
	if !n.Known() {
		return markMissing
	}
	return p.rounded(p.shifted(n).round(p.format.Digits))
}

// amountDigits is how many more digits than its column an amount may take: what
// is smaller still is the noise of floating point.
const amountDigits = 3

// amount is number for what is bought or spent, and so no difference: where all
// digits of the column would be 0 and n is not, it prints the first that counts,
// since a cost of 0.00 would read as none.
func (p printer) amount(n Number) string {
	if !n.Known() {
		return markMissing
	}
	n = p.shifted(n)
	r := n.round(p.format.Digits)
	if first := 1 - len(n.digits) - n.exponent; !p.format.Signed && r.Zero() && !n.Zero() && first <= p.format.Digits+amountDigits {
		r = n.round(first)
	}
	return p.rounded(r)
}

// shifted is n in the unit of the column.
func (p printer) shifted(n Number) Number {
	n.exponent -= p.format.Shift
	if n.Zero() {
		n.exponent = min(n.exponent, 0)
	}
	return n
}

// rounded prints a rounded number with its sign and groups.
func (p printer) rounded(n Number) string {
	plus := ""
	if p.format.Signed {
		plus = "+"
	}
	magnitude := n
	magnitude.negative = false
	text := fixed(magnitude.digits, magnitude.exponent)
	if p.format.Thousands {
		text = grouped(text)
	}
	return n.sign(p.minus, plus) + text
}

// count prints an integer without decimals, shift or sign.
func (p printer) count(n int64) string {
	return printer{NumberFormat{Thousands: p.format.Thousands}, p.minus}.number(Int(n))
}

// grouped sets the digits before the point in groups of three.
func grouped(text string) string {
	whole, fraction, point := strings.Cut(text, ".")
	if len(whole) < 5 {
		return text
	}
	var b strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(narrowSpace)
		}
		b.WriteRune(digit)
	}
	if point {
		b.WriteString("." + fraction)
	}
	return b.String()
}
