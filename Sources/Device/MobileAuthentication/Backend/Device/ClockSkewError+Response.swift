import BackendAPI
import BackendTransport
import Foundation

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
