/// Dates of cookies (RFC 6265, 5.1.1): a forgiving reader for every form that servers have ever sent.
enum CookieDate {
    static func secondsSince1970(_ text: String) -> Int64? {
        var found = Found()
        for token in text.utf8.split(whereSeparator: isDelimiter) { found.take(Array(token)) }
        guard let time = found.time, let day = found.day, let month = found.month, let year = found.fullYear,
            year >= 1601
        else { return nil }
        return CivilTime(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second
        ).secondsSince1970
    }

    private static func isDelimiter(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}

/// The parts of a date as they turn up; each token becomes the first missing part whose form it has.
private struct Found {
    var time: (hour: Int, minute: Int, second: Int)?
    var day: Int?
    var month: Int?
    private var year: Int?

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    var fullYear: Int? {
        switch year {
        case .some(let year) where year <= 69: year + 2000
        case .some(let year) where year <= 99: year + 1900
        default: year
        }
    }

    mutating func take(_ token: [UInt8]) {
        if time == nil, let read = Self.readTime(token) {
            time = read
        } else if day == nil, let read = Self.readNumber(token, digits: 1...2) {
            day = read
        } else if month == nil, let read = Self.readMonth(token) {
            month = read
        } else if year == nil, let read = Self.readNumber(token, digits: 2...4) {
            year = read
        }
    }

    /// `hh:mm:ss`, one or two digits each, followed by anything that is no digit.
    private static func readTime(_ token: [UInt8]) -> (hour: Int, minute: Int, second: Int)? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(isDigit), fields[1].allSatisfy(isDigit),
            let hour = readNumber(Array(fields[0]), digits: 1...2),
            let minute = readNumber(Array(fields[1]), digits: 1...2),
            let second = readNumber(Array(fields[2]), digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func readNumber(_ token: [UInt8], digits range: ClosedRange<Int>) -> Int? {
        let digits = token.prefix(while: isDigit)
        guard range.contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func readMonth(_ token: [UInt8]) -> Int? {
        guard token.count >= 3 else { return nil }
        let start = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
        return months.firstIndex(of: start).map { $0 + 1 }
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }
}
