import BackendAPI
import BackendTransport
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

extension ClockSkewError {
    /// What a server allows by default: a device may be so many seconds ahead or behind (`backend-http-api` 4.1).
    private static let window = -300...120

    /// Reads a refusal of a signed request; nil when it was refused for something else than its time.
    ///
    /// A server says so by a code. Where the answer has no code, the two clocks are compared (`backend-http-api` 0.4).
    init?(_ response: BackendResponse, now: Int64) {
        guard response.status == 401 else { return nil }
        let ahead = response.headers.first("Date").flatMap(HTTPDate.date).map { date in
            Int(clamping: now.subtractingReportingOverflow(Int64(date.timeIntervalSince1970)).partialValue)
        }
        switch (try? ErrorBody(body: response.body))?.code {
        case .clockSkewTooBig?: self.init(secondsAhead: ahead)
        case nil:
            guard let ahead, !Self.window.contains(ahead) else { return nil }
            self.init(secondsAhead: ahead)
        default: return nil
        }
    }
}
