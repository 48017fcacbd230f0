import BackendAPI
import BackendTransport
import Synchronization
import UAF

/// What the server said last to a phone's response.
final class LastVerdict: Sendable {
    private let code = Mutex<Int?>(nil)

    /// The UAF status; nil before the first answer, and when that was no answer to a UAF response.
    var status: Int? { code.withLock { $0 } }

    /// Takes note of an answer.
    func note(_ answer: BackendResponse) {
        let status = (try? ServerResponse(body: answer.body)).map { Int($0.statusCode.rawValue) }
        code.withLock { $0 = status }
    }
}
