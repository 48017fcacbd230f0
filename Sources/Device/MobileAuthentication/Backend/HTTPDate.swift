import BackendAPI
import BackendTransport
import Foundation

/// Date of an HTTP header field, in the preferred form (RFC 9110 section 5.6.7).
enum HTTPDate {
    /// Date in the preferred form; nil for another form.
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }
}

extension ClockSkewError {
    /// Clock skew that servers tolerate by default, in seconds that the device is ahead.
    private static let window = -300...120

    /// Reads a refusal of a signed request; nil when it was refused for something else than its time.
    ///
    /// Servers report it by an error code. For a response without a code, the two clocks are compared.
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
