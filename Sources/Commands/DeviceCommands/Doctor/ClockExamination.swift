import BackendTransport
import Foundation

struct ClockExamination {
    /// Tolerance for the times of a token, in seconds.
    private static let tolerance: TimeInterval = 60

    let headers: HeaderFields
    let now: Date

    func finding() -> DoctorFinding {
        guard let text = headers.first("Date"), let theirs = Self.date(text) else {
            return DoctorFinding(
                name: "clock", verdict: .weak, observation: "The server does not tell its time.",
                advice: "Let a proxy in front of it keep the Date field.")
        }
        guard abs(theirs.timeIntervalSince(now)) > Self.tolerance else {
            return DoctorFinding(name: "clock", verdict: .well, observation: "Its clock agrees with this one.")
        }
        return DoctorFinding(
            name: "clock", verdict: .ill,
            observation: "This machine's clock is \(Self.words(theirs, against: now)) the server's.",
            advice: "Set both clocks by NTP: challenges and tokens have a time.")
    }

    /// Difference between this clock and theirs in words, such as `5 years ahead of`.
    static func words(_ theirs: Date, against now: Date) -> String {
        let difference = now.timeIntervalSince(theirs)
        return "\(amount(abs(difference))) \(difference > 0 ? "ahead of" : "behind")"
    }

    /// Duration in the largest unit that fits: `5 years`, `2 hours`, `90 seconds`.
    static func amount(_ seconds: TimeInterval) -> String {
        let units: [(String, TimeInterval)] = [
            ("year", 31_556_952), ("day", 86_400), ("hour", 3_600), ("minute", 60),
        ]
        for (name, length) in units where seconds >= 2 * length || (seconds >= length && name == "year") {
            let count = Int((seconds / length).rounded())
            return count == 1 ? "1 \(name)" : "\(count) \(name)s"
        }
        return "\(Int(seconds.rounded())) seconds"
    }

    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }
}
