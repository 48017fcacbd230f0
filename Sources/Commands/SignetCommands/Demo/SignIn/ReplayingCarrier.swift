import BackendAPI
import BackendTransport

/// A hostile network: it lets a phone sign in and sends the very same answer, cookies and all, a second time; it remembers
/// what the server says to that.
final class ReplayingCarrier: HostileCarrier {
    private let carrier: any HTTPTransport
    private let verdict = LastVerdict()

    init(over carrier: any HTTPTransport) {
        self.carrier = carrier
    }

    var lastStatus: Int? { verdict.status }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let response = try await carrier.response(to: request)
        guard (try? SendUAFResponse(body: request.body)) != nil else { return response }
        let second = try await carrier.response(to: request)
        verdict.note(second)
        return response
    }
}
