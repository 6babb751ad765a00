package tables

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// latexText escapes a text for LaTeX. The result is ASCII, needs no package and
// is the same under pdflatex, XeLaTeX and LuaLaTeX in any font encoding:
// Latin letters become accent commands, the signs of latexSigns their commands,
// and any other character its code point in brackets, such as [U+4E2D], for
// pdflatex would stop at it and dropping it would alter data.
func latexText(text string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range norm.NFC.String(oneLine(text)) {
		if ligature(last, r) {
			b.WriteString("{}")
		}
		b.WriteString(latexRune(r))
		last = r
	}
	return b.String()
}

// ligature reports two characters that TeX fonts would draw as another one:
// -- is a dash, ” a quotation mark.
func ligature(a, b rune) bool { return a == b && (a == '-' || a == '\'' || a == ',') }

// latexRune is one character in LaTeX.
func latexRune(r rune) string {
	if s, ok := latexSpecial(r); ok {
		return s
	}
	if r >= ' ' && r <= '~' {
		return string(r)
	}
	if s, ok := latexSigns[r]; ok {
		return s
	}
	if s, ok := latexAccent(r); ok {
		return s
	}
	return fmt.Sprintf("[U+%04X]", r)
}

// latexSpecial is an ASCII character that means something to TeX, or that its
// default font encoding draws as another one (< > | " and the accents).
func latexSpecial(r rune) (string, bool) {
	switch r {
	case '&', '%', '$', '#', '_', '{', '}':
		return `\` + string(r), true
	case '\\':
		return `\textbackslash{}`, true
	case '~':
		return `\textasciitilde{}`, true
	case '^':
		return `\textasciicircum{}`, true
	case '<':
		return `\textless{}`, true
	case '>':
		return `\textgreater{}`, true
	case '|':
		return `\textbar{}`, true
	case '"':
		return `\char34{}`, true
	case '`':
		return `\char96{}`, true
	}
	return "", false
}

// latexAccent writes a letter with one diacritic as accent command and letter.
func latexAccent(r rune) (string, bool) {
	parts := []rune(norm.NFD.String(string(r)))
	if len(parts) != 2 || parts[0] >= 0x80 {
		return "", false
	}
	command, ok := latexDiacritics[parts[1]]
	if !ok {
		return "", false
	}
	letter := string(parts[0])
	if letter == "i" && command != `\c` && command != `\d` {
		letter = `\i`
	}
	return command + "{" + letter + "}", true
}

// latexDiacritics are the accent commands that every font encoding has.
var latexDiacritics = map[rune]string{
	0x300: "\\`", 0x301: `\'`, 0x302: `\^`, 0x303: `\~`, 0x304: `\=`, 0x306: `\u`, 0x307: `\.`,
	0x308: `\"`, 0x30A: `\r`, 0x30B: `\H`, 0x30C: `\v`, 0x323: `\d`, 0x327: `\c`, 0x331: `\b`,
}

// latexSigns are the signs a table of measurements is likely to hold.
var latexSigns = map[rune]string{
	'\u00a0': "~", '\u202f': `\,`, '\u2009': `\,`,
	'–': "--", '—': "---", '‘': "`{}", '’': "'{}", '“': "``{}", '”': "''{}", '…': `\ldots{}`, '·': `\ensuremath{\cdot}`,
	'−': `\ensuremath{-}`, '±': `\ensuremath{\pm}`, '×': `\ensuremath{\times}`, '÷': `\ensuremath{\div}`,
	'≤': `\ensuremath{\leq}`, '≥': `\ensuremath{\geq}`, '≠': `\ensuremath{\neq}`, '≈': `\ensuremath{\approx}`,
	'∞': `\ensuremath{\infty}`, '→': `\ensuremath{\rightarrow}`, '←': `\ensuremath{\leftarrow}`, '↔': `\ensuremath{\leftrightarrow}`,
	'∈': `\ensuremath{\in}`, '√': `\ensuremath{\surd}`, '∑': `\ensuremath{\Sigma}`, '†': `\dag{}`, '‡': `\ddag{}`,
	'°': `\ensuremath{^\circ}`, '¹': `\ensuremath{^1}`, '²': `\ensuremath{^2}`, '³': `\ensuremath{^3}`,
	'½': `\ensuremath{\frac12}`, '¼': `\ensuremath{\frac14}`, '¾': `\ensuremath{\frac34}`, '•': `\ensuremath{\bullet}`,
	'µ': `\ensuremath{\mu}`, 'μ': `\ensuremath{\mu}`, 'α': `\ensuremath{\alpha}`, 'β': `\ensuremath{\beta}`, 'γ': `\ensuremath{\gamma}`,
	'δ': `\ensuremath{\delta}`, 'Δ': `\ensuremath{\Delta}`, 'ε': `\ensuremath{\epsilon}`, 'η': `\ensuremath{\eta}`, 'θ': `\ensuremath{\theta}`,
	'κ': `\ensuremath{\kappa}`, 'λ': `\ensuremath{\lambda}`, 'π': `\ensuremath{\pi}`, 'ρ': `\ensuremath{\rho}`, 'σ': `\ensuremath{\sigma}`,
	'Σ': `\ensuremath{\Sigma}`, 'τ': `\ensuremath{\tau}`, 'φ': `\ensuremath{\phi}`, 'χ': `\ensuremath{\chi}`, 'ω': `\ensuremath{\omega}`, 'Ω': `\ensuremath{\Omega}`,
	'ß': `\ss{}`, 'æ': `\ae{}`, 'Æ': `\AE{}`, 'œ': `\oe{}`, 'Œ': `\OE{}`, 'ø': `\o{}`, 'Ø': `\O{}`, 'ł': `\l{}`, 'Ł': `\L{}`, 'ı': `\i{}`,
	'§': `\S{}`, '¶': `\P{}`, '©': `\copyright{}`, '£': `\pounds{}`, '¡': "!`{}", '¿': "?`{}",
}

// latexLabel is a text as part of a \label, which may hold [A-Za-z0-9:.-] alone.
func latexLabel(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":.-", r)) {
			return r
		}
		return '-'
	}, text)
}

// latexWidth is about the width of a text as LaTeX sets it, in digits. The
// classes follow the metrics of Computer Modern at 8 pt, where a digit is 4.25 pt
// wide, l and [ 2.36 pt, m 7.08 pt, capitals about 6.2 pt.
func latexWidth(text string) int {
	tenths := 0
	for _, r := range norm.NFC.String(text) {
		printed := []rune{r}
		if s := latexRune(r); r > '~' && s[0] == '[' {
			printed = []rune(s)
		}
		for _, p := range printed {
			tenths += latexTenths(p)
		}
	}
	return (tenths + 9) / 10
}

// latexTenths is the width of a character in tenths of a digit.
func latexTenths(r rune) int {
	switch {
	case strings.ContainsRune(" .,:;!'|()[]ijlft-/`\u202f", r):
		return 7
	case r >= 'a' && r <= 'z' && r != 'm' && r != 'w' || r >= '0' && r <= '9':
		return 10
	case r >= 'A' && r <= 'Z' || r > '~' && norm.NFD.String(string(r))[0] < 0x80:
		return 15
	}
	return 18
}
