import BackendTransport
import Foundation

/// Compares the server's clock with this machine's.
struct ClockExamination {
    /// What a token's times are forgiven, in seconds.
    private static let tolerance: TimeInterval = 60

    let headers: HeaderFields
    let now: Date

    func finding() -> DoctorFinding {
        guard let text = headers.first("Date"), let theirs = Self.date(text) else {
            return DoctorFinding(
                name: "clock", verdict: .weak, observation: "The server does not tell its time.",
                advice: "Let a proxy in front of it keep the Date field.")
        }
        let skew = Int(theirs.timeIntervalSince(now).rounded())
        guard abs(theirs.timeIntervalSince(now)) > Self.tolerance else {
            return DoctorFinding(name: "clock", verdict: .well, observation: "Its clock agrees with this one.")
        }
        return DoctorFinding(
            name: "clock", verdict: .ill,
            observation: "Its clock is \(abs(skew)) s \(skew > 0 ? "ahead of" : "behind") this one.",
            advice: "Set both clocks by NTP: challenges and tokens have a time.")
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }
}
