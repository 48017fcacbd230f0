package import RelyingParty

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since the epoch.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package init(seconds: Int64) {
        milliseconds = seconds.saturatingProduct(1000)
    }

    /// Whole seconds since the epoch, rounded down, as tokens carry them (RFC 7519, 2).
    package var seconds: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    /// The lower `count` octets of the milliseconds, most significant first: six last until the year 10889.
    package func bigEndianOctets(count: Int) -> [UInt8] {
        let bits = UInt64(bitPattern: milliseconds)
        return (1...count).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64(count - $0))) }
    }

    /// The later point; saturates at the ends of the range.
    package static func + (start: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = start.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        guard overflow else { return Timestamp(milliseconds: sum) }
        return Timestamp(milliseconds: duration.wholeMilliseconds > 0 ? .max : .min)
    }

    /// The earlier point; saturates at the ends of the range.
    package static func - (end: Timestamp, duration: Duration) -> Timestamp {
        end + (.zero - duration)
    }

    package static func - (end: Timestamp, start: Timestamp) -> Duration {
        let (difference, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return .milliseconds(overflow ? (end > start ? .max : .min) : difference)
    }

    package static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (sum, overflow) = seconds.saturatingProduct(1000)
            .addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow ? (seconds > 0 ? .max : .min) : sum
    }
}

extension Int64 {
    fileprivate func saturatingProduct(_ factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? (self > 0 ? .max : .min) : product
    }
}

extension Timestamp {
    /// The date and time in UTC with milliseconds, such as `2026-01-31T12:00:00.000Z` (ISO 8601).
    package var iso8601: String {
        let millisecondsPerDay: Int64 = 86_400_000
        let millisecondOfDay = (milliseconds % millisecondsPerDay + millisecondsPerDay) % millisecondsPerDay
        let (year, month, day) = Self.date(daysSinceEpoch: (milliseconds - millisecondOfDay) / millisecondsPerDay)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        for (number, width, mark) in [
            (year, 4, "-" as Unicode.Scalar), (month, 2, "-"), (day, 2, "T"), (millisecondOfDay / 3_600_000, 2, ":"),
            (millisecondOfDay / 60_000 % 60, 2, ":"), (millisecondOfDay / 1000 % 60, 2, "."),
            (millisecondOfDay % 1000, 3, "Z"),
        ] {
            Self.append(number, width, to: &text)
            text.append(UInt8(ascii: mark))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Proleptic Gregorian date, counted in eras of 400 years that begin on 1 March.
    private static func date(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSinceEpoch + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func append(_ number: Int64, _ width: Int, to text: inout [UInt8]) {
        let digits = String(number).utf8
        for _ in 0..<max(0, width - digits.count) { text.append(UInt8(ascii: "0")) }
        text.append(contentsOf: digits)
    }
}

extension Timestamp {
    package var moment: Moment { Moment(milliseconds: milliseconds) }
}

extension Timestamp {
    /// Time of a text that ``iso8601`` has written; nil for every other text.
    package init?(iso8601 text: String) {
        let octets = Array(text.utf8)
        guard octets.count == 24, octets[23] == UInt8(ascii: "Z") else { return nil }
        let separators: [Int: UInt8] = [
            4: UInt8(ascii: "-"), 7: UInt8(ascii: "-"), 10: UInt8(ascii: "T"), 13: UInt8(ascii: ":"),
            16: UInt8(ascii: ":"), 19: UInt8(ascii: "."),
        ]
        guard separators.allSatisfy({ octets[$0.key] == $0.value }) else { return nil }
        var numbers: [Int64] = []
        for range in [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19, 20..<23] {
            guard let number = Self.number(octets[range]) else { return nil }
            numbers.append(number)
        }
        let days = Self.daysSinceEpoch(year: numbers[0], month: numbers[1], day: numbers[2])
        let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        self.init(milliseconds: seconds * 1_000 + numbers[6])
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Days of the proleptic Gregorian calendar, counted in years that begin on 1 March.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let shiftedMonth = month <= 2 ? month + 9 : month - 3
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        return shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
    }
}
