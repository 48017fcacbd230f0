/// A part of each day in which nothing is pushed (docs/security/threat-model.md, A-7): users do not judge with care what has woken
/// them.
///
/// Links, QR codes and what applications ask for themselves go on.
package struct QuietHours: Sendable, Hashable, CustomStringConvertible {
    package static let minutesPerDay = 1_440
    /// Minutes that the clocks of a place may differ from UTC.
    package static let offsets = -720...840

    /// The minute of the day from which on it is quiet.
    package let start: Int
    /// The minute of the day at which it is quiet no more; before ``start``: on the next day.
    package let end: Int
    /// Minutes that the clock of the place is ahead of UTC, the whole year; nil when nothing is said of it: UTC.
    package let offset: Int?

    /// Takes two different minutes of the day by a clock that is `offset` minutes ahead of UTC; nil for other numbers.
    package init?(from start: Int, to end: Int, offset: Int? = nil) {
        let minutes = 0..<Self.minutesPerDay
        guard start != end, minutes.contains(start), minutes.contains(end), Self.offsets.contains(offset ?? 0) else {
            return nil
        }
        self.start = start
        self.end = end
        self.offset = offset
    }

    package func end(at moment: Timestamp) -> Timestamp? {
        let day = Int64(Self.minutesPerDay) * 60_000
        let sinceStart = Self.remainder(moment.milliseconds + Int64((offset ?? 0) - start) * 60_000, day)
        let length = Self.remainder(Int64(end - start) * 60_000, day)
        return sinceStart < length ? moment + .milliseconds(length - sinceStart) : nil
    }

    /// Such as `22:00 to 06:30 (UTC+01:00)`.
    package var description: String {
        let offset = offset ?? 0
        return "\(Self.text(start)) to \(Self.text(end)) (UTC\(offset < 0 ? "-" : "+")\(Self.text(abs(offset))))"
    }

    private static func text(_ minutes: Int) -> String {
        let (hours, rest) = (minutes / 60, minutes % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Never negative, also before 1970.
    private static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        (value % divisor + divisor) % divisor
    }
}
