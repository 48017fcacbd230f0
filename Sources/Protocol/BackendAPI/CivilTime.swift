/// A date and time of the Gregorian calendar in UTC, without leap seconds.
struct CivilTime: Hashable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// Seconds since the start of 1970; nil when there is no such date or time.
    var secondsSince1970: Int64? {
        guard (1...12).contains(month), (1...Self.lengthOfMonth(month, year: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        // Days are counted in years that begin in March, so that the leap day is the last one.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    private static func lengthOfMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilTime {
    /// The date and time of a moment from 1970 to 9999; moments outside are moved to the nearer end.
    init(secondsSince1970: Int64) {
        let seconds = Int(min(max(secondsSince1970, 0), 253_402_300_799))
        let days = seconds / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = seconds % 86_400 / 3_600
        minute = seconds % 3_600 / 60
        second = seconds % 60
    }

    /// ISO 8601 with milliseconds, for example `2026-01-31T12:00:00.000Z`.
    static func text(millisecondsSince1970 milliseconds: Int64) -> String {
        let clamped = max(milliseconds, 0)
        let time = CivilTime(secondsSince1970: clamped / 1_000)
        let date = "\(digits(time.year, 4))-\(digits(time.month, 2))-\(digits(time.day, 2))"
        let clock = "\(digits(time.hour, 2)):\(digits(time.minute, 2)):\(digits(time.second, 2))"
        return "\(date)T\(clock).\(digits(Int(clamped % 1_000), 3))Z"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
