import Octets
import OpenID
import OutgoingRequests
import ServerCore
import Synchronization

/// Resolver that gives one answer after the other, and the last one for ever.
final class ScriptedResolver: NameResolver {
    private let state: Mutex<(answers: [[IPAddress]], questions: Int)>

    init(_ answers: [[String]]) {
        state = Mutex((answers.map { $0.compactMap { IPAddress($0) } }, 0))
    }

    /// Number of questions so far.
    var questions: Int { state.withLock { $0.questions } }

    func addresses(of host: String, within time: Duration) async throws(OutgoingFailure) -> [IPAddress] {
        state.withLock { state in
            state.questions += 1
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first ?? []
        }
    }
}
