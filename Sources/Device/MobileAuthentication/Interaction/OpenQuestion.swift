import HardwareKeys
import Locking
import UAFClient

/// Question that the application was asked: the slot for its answer, and what is to happen when it is over.
final class OpenQuestion<Answer: Sendable>: Sendable {
    private let slot = OneShot<UserAnswer<Answer>>()
    private let endings = Lock<[@MainActor () -> Void]>([])

    /// Whether it is answered, canceled or out of time.
    var isOver: Bool { slot.isFilled }

    /// Sets the answer, unless there was one already, and ends the question.
    func fill(_ answer: UserAnswer<Answer>) {
        slot.fill(answer)
        end()
    }

    func answer() async -> UserAnswer<Answer> { await slot.value() }

    func onEnd(_ ending: @escaping @MainActor () -> Void) {
        endings.withLock { $0.append(ending) }
        if isOver { end() }
    }

    private func end() {
        let due = endings.withLock { endings in
            defer { endings = [] }
            return endings
        }
        guard !due.isEmpty else { return }
        Task { @MainActor in for ending in due { ending() } }
    }
}
