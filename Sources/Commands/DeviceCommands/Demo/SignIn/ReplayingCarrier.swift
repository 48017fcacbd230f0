import BackendAPI
import BackendTransport

/// Replay attacker: passes an authentication through, sends the same response with its cookies a second time, and keeps
/// the server's UAF status for the replay.
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
