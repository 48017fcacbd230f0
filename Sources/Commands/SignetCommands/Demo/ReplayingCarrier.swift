import BackendAPI
import BackendTransport
import Synchronization
import UAF

/// A hostile network: it lets a phone sign in and sends the very same answer, cookies and all, a second time; it remembers
/// what the server says to that.
final class ReplayingCarrier: HostileCarrier {
    private let carrier: any HTTPTransport
    private let status = Mutex<Int?>(nil)

    init(over carrier: any HTTPTransport) {
        self.carrier = carrier
    }

    var lastStatus: Int? { status.withLock { $0 } }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let response = try await carrier.response(to: request)
        guard (try? SendUAFResponse(body: request.body)) != nil else { return response }
        let second = try await carrier.response(to: request)
        let code = (try? ServerResponse(body: second.body)).map { Int($0.statusCode.rawValue) }
        status.withLock { $0 = code }
        return response
    }
}
