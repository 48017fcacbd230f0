import Foundation

/// A date as HTTP writes it (RFC 9110, 5.6.7, the preferred form).
enum HTTPDate {
    /// The moment; nil for another form.
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }
}
