import ServerCore

extension Setting {
    /// The value as a time of the day such as `22:30`, in minutes.
    func asTimeOfDay() throws(Mismatch) -> Int {
        guard let minute = Self.minutes(try asText()), minute < QuietHours.minutesPerDay else {
            throw .rule("must be a time of the day in quotes, such as \"22:30\"")
        }
        return minute
    }

    /// The value as a difference from UTC such as `+01:00`, in minutes.
    func asUTCOffset() throws(Mismatch) -> Int {
        let text = try asText()
        let isBehind = text.hasPrefix("-")
        guard isBehind || text.hasPrefix("+"), let amount = Self.minutes(String(text.dropFirst())),
            QuietHours.offsets.contains(isBehind ? -amount : amount)
        else { throw .rule("must be a difference from UTC in quotes, such as \"+01:00\"") }
        return isBehind ? -amount : amount
    }

    /// Hours and minutes of two digits each; nil for anything else.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(isDigit) }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }
}
