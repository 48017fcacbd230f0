import Foundation
import Synchronization

/// Value of the `Date` field (RFC 9110, 6.6.1), which is made once a second.
final class DateField: Sendable {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private let made = Mutex<(second: Int, text: String)>((second: 0, text: DateField.text(at: 0)))

    var text: String {
        let second = time(nil)
        return made.withLock { made in
            if made.second != second { made = (second, Self.text(at: second)) }
            return made.text
        }
    }

    /// The form that may be sent (RFC 9110, 5.6.7) of a time in seconds since 1970.
    static func text(at second: Int) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        let day = days[(second / 86_400 % 7 + 7) % 7]
        let date = "\(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1_900)"
        return "\(day), \(date) \(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min)):\(twoDigits(parts.tm_sec)) GMT"
    }

    private static func twoDigits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
}
