import OpenID
import ServerCore
import Synchronization

/// Sender that gives out documents and counts how often it was asked.
final class ScriptedSender: OutgoingSender {
    private let documents = Mutex<[OutgoingAddress: [UInt8]]>([:])
    private let count = Mutex(0)
    private let lag = Mutex(Duration.zero)

    var fetchCount: Int { count.withLock { $0 } }

    /// Lets every document take this time.
    func delay(by time: Duration) { lag.withLock { $0 = time } }

    func serve(_ document: [UInt8]?, at address: OutgoingAddress) {
        documents.withLock { $0[address] = document }
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> Int { throw .unreachable }

    func fetch(_ address: OutgoingAddress, accepting type: String) async throws(OutgoingFailure) -> [UInt8] {
        count.withLock { $0 += 1 }
        let time = lag.withLock { $0 }
        if time > .zero { try? await Task.sleep(for: time) }
        guard let document = documents.withLock({ $0[address] }) else { throw .unreachable }
        return document
    }
}
