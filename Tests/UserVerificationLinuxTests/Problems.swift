import Synchronization
import UserVerificationLinux

/// What was reported as wrong with the machine.
final class Problems: Sendable {
    private let list = Mutex<[VerificationProblem]>([])

    var all: [VerificationProblem] { list.withLock { $0 } }

    func add(_ problem: VerificationProblem) { list.withLock { $0.append(problem) } }
}
