import ServerCore
import Synchronization

/// Sender that gives out documents and counts how often it was asked.
final class ScriptedSender: OutgoingSender {
    private let documents = Mutex<[OutgoingAddress: [UInt8]]>([:])
    private let count = Mutex(0)

    var fetchCount: Int { count.withLock { $0 } }

    func serve(_ document: [UInt8]?, at address: OutgoingAddress) {
        documents.withLock { $0[address] = document }
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> Int { throw .unreachable }

    func fetch(_ address: OutgoingAddress, accepting type: String) async throws(OutgoingFailure) -> [UInt8] {
        count.withLock { $0 += 1 }
        guard let document = documents.withLock({ $0[address] }) else { throw .unreachable }
        return document
    }
}
