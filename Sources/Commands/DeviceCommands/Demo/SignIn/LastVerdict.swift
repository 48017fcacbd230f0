import BackendAPI
import BackendTransport
import Synchronization
import UAF

/// UAF status of the server's latest response to a UAF response of the phone.
final class LastVerdict: Sendable {
    private let code = Mutex<Int?>(nil)

    /// The UAF status; nil before the first response, and when the latest one was not a response to a UAF response.
    var status: Int? { code.withLock { $0 } }

    /// Records the status of a response.
    func note(_ answer: BackendResponse) {
        let status = (try? ServerResponse(body: answer.body)).map { Int($0.statusCode.rawValue) }
        code.withLock { $0 = status }
    }
}
