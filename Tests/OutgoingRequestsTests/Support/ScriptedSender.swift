import Octets
import OpenID
import OutgoingRequests
import ServerCore
import Synchronization

/// Sender whose answers a test decides, and which remembers what was sent.
final class ScriptedSender: OutgoingSender {
    typealias Answer = @Sendable (OutgoingRequest) async throws(OutgoingFailure) -> Int

    private let sent = Mutex<[OutgoingRequest]>([])
    private let running = Mutex<(now: [String: Int], most: Int)>(([:], 0))
    private let answer: Answer

    init(_ answer: @escaping Answer) { self.answer = answer }

    /// Requests in the order in which they came.
    var requests: [OutgoingRequest] { sent.withLock { $0 } }

    /// Identifiers of the messages in the order in which they came.
    var ids: [String] {
        requests.compactMap { request in request.fields.first { $0.name == "webhook-id" }?.value.reveal() }
    }

    /// Most requests to one address at a time.
    var mostAtOnce: Int { running.withLock { $0.most } }

    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> Int {
        let address = request.address.text
        sent.withLock { $0.append(request) }
        running.withLock { running in
            running.now[address, default: 0] += 1
            running.most = max(running.most, running.now[address, default: 0])
        }
        defer { running.withLock { $0.now[address, default: 0] -= 1 } }
        return try await answer(request)
    }

    func fetch(_ address: OutgoingAddress, accepting type: String) async throws(OutgoingFailure) -> [UInt8] {
        throw .unreachable
    }
}
