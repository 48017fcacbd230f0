import BackendAPI
import BackendTransport
import Foundation

/// Transport that sends a request again when an overloaded server says when (`Retry-After`, RFC 9110 section 10.2.3).
///
/// Only requests that the server cannot have executed are repeated: those that it refuses as `overloaded`, which means
/// that it has not begun with them and never will, and unsigned readings. Everything is bounded: the number of
/// repetitions, each wait, and all together by the time-out of the request. A random part is added to the wait, so that
/// phones that were refused together do not return together. What remains is the refusal itself, which applications see
/// as a `NetworkError` with the status.
struct RetryingTransport: HTTPTransport {
    static let repetitions = 2
    /// Longest wait that is honoured; a server that names a longer one is not asked again.
    static let longestWait = Duration.seconds(10)

    private let inner: any HTTPTransport
    private let clock: any MonotonicClock
    private let chance: @Sendable () -> Double

    /// Repeats requests over `inner`; `chance` is a number from 0 up to 1, drawn for each wait.
    init(
        _ inner: any HTTPTransport, clock: any MonotonicClock,
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.inner = inner
        self.clock = clock
        self.chance = chance
    }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let deadline = clock.now + request.timeout
        var request = request
        for _ in 0..<Self.repetitions {
            let response = try await inner.response(to: request)
            guard let wait = wait(after: response, to: request, until: deadline) else { return response }
            do throws(CancellationError) {
                try await clock.sleep(for: wait)
            } catch {
                throw .cancelled
            }
            // A device that was suspended meanwhile wakes up long after the time.
            guard clock.now < deadline else { return response }
            request.timeout = deadline - clock.now
        }
        return try await inner.response(to: request)
    }

    /// Wait before the request is sent again; nil when it is not.
    private func wait(
        after response: BackendResponse, to request: BackendRequest, until deadline: Duration
    ) -> Duration? {
        guard response.status == 503, let seconds = response.retryAfterSeconds,
            .seconds(seconds) <= Self.longestWait, isRepeatable(request, after: response)
        else { return nil }
        let asked = Duration.seconds(max(1, seconds))
        let wait = asked + asked * (chance() / 2)
        return clock.now + wait < deadline ? wait : nil
    }

    /// Whether the request was certainly not executed, or changes nothing.
    private func isRepeatable(_ request: BackendRequest, after response: BackendResponse) -> Bool {
        let isReading = request.method == .get && request.headers.first(Endpoint.deviceSignatureField) == nil
        return isReading || (try? ErrorBody(body: response.body))?.code == .overloaded
    }
}
