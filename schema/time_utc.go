package schema

// daysBefore is the number of days of a common year before each month.
var daysBefore = [13]int64{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// parseUTC reads the form in which nearly all times are written,
// 2006-01-02T15:04:05Z with up to nine digits of a second, and leaves every
// other one, and every doubt, to ParseTime.
func parseUTC(s string) (Time, bool) {
	if len(s) < 20 || len(s) > 30 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[len(s)-1] != 'Z' {
		return 0, false
	}
	year, month, day := decimal(s[:4]), decimal(s[5:7]), decimal(s[8:10])
	hour, minute, second := decimal(s[11:13]), decimal(s[14:16]), decimal(s[17:19])
	// A part that is no number is negative.
	if year < 1 || month < 1 || month > 12 || day < 1 || hour|minute|second < 0 || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	leap := year%4 == 0 && (year%100 != 0 || year%400 == 0)
	last := daysBefore[month] - daysBefore[month-1]
	before := daysBefore[month-1]
	if leap && month == 2 {
		last++
	}
	if leap && month > 2 {
		before++
	}
	micros, ok := fraction(s[19 : len(s)-1])
	if day > last || !ok {
		return 0, false
	}
	y := year - 1
	// 719162 days lie between 0001-01-01 and 1970-01-01.
	days := y*365 + y/4 - y/100 + y/400 + before + day - 1 - 719162
	return Time(((days*24+hour)*60+minute)*60e6 + second*1e6 + micros), true
}

// decimal is the number that s spells, or negative where s is none.
func decimal(s string) int64 {
	var n int64
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return -1
		}
		n = n*10 + int64(c)
	}
	return n
}

// fraction reads ".678" as microseconds, cutting finer digits.
func fraction(s string) (int64, bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != '.' || len(s) == 1 || decimal(s[1:]) < 0 {
		return 0, false
	}
	var n int64
	for i := range 6 {
		n *= 10
		if i+1 < len(s) {
			n += int64(s[i+1] - '0')
		}
	}
	return n, true
}
