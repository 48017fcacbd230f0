/// Deadlines and back-off of a message: a user waits in front of a login page meanwhile.
package struct RetryPlan: Hashable, Sendable {
    /// The time for everything, from the first request to the last answer.
    package var deadline: Duration = .seconds(10)
    /// The time for one request.
    package var attempt: Duration = .seconds(5)
    /// The pause after the first failed request; it doubles with each further one.
    package var firstPause: Duration = .milliseconds(400)
    /// The longest pause that we choose ourselves.
    package var longestPause: Duration = .seconds(4)

    package init() {}

    /// The pause after so many failed requests; nil when no time is left for another one.
    ///
    /// A pause that the service asks for is kept; else the pause is drawn between half and all of its length by
    /// `chance` (0...255), so that servers that failed together do not return together.
    func pause(
        afterFailures failures: Int, asked: Duration?, chance: UInt8, elapsed: Duration
    ) -> Duration? {
        let own = min(longestPause, firstPause * (1 << min(max(failures - 1, 0), 10)))
        let pause = asked ?? own / 2 + own / 2 * Int(chance) / 255
        return elapsed + pause < deadline ? pause : nil
    }

    func timeForAttempt(elapsed: Duration) -> Duration? {
        let left = deadline - elapsed
        return left > .zero ? min(attempt, left) : nil
    }
}

/// Waiting time that a service asks for (RFC 9110, 10.2.3).
enum RetryAfter {
    /// The time from `now` (seconds since 1970) that the field names; nil when it cannot be read.
    static func duration(_ text: String, now: Int64) -> Duration? {
        if let seconds = Int64(text), seconds >= 0, text.utf8.count <= 10 { return .seconds(seconds) }
        return secondsSince1970(text).map { .seconds(max(0, $0 - now)) }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that may still be sent.
    private static func secondsSince1970(_ text: String) -> Int64? {
        let parts = text.split(whereSeparator: { " ,:".contains($0) })
        guard text.utf8.count == 29, parts.count == 8, parts[7] == "GMT",
            let month = months.firstIndex(of: String(parts[2])), let day = Int64(parts[1]), (1...31).contains(day),
            let year = Int64(parts[3]), (1970...9999).contains(year), let hour = Int64(parts[4]),
            let minute = Int64(parts[5]), let second = Int64(parts[6]), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return days(year, Int64(month) + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// Days since 1970 in the Gregorian calendar; years begin in March, so that the leap day is their last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
