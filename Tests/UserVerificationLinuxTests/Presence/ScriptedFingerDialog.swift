import HardwareKeys
import Synchronization
import UserVerificationLinux

/// A dialog that remembers what it showed and ends when the test says so.
final class ScriptedFingerDialog: FingerDialog {
    private struct State: Sendable {
        var prompts: [PresencePrompt] = []
        var decision: FingerDialogAnswer?
    }

    private let state = Mutex(State())
    private let signals = AsyncStream<Void>.makeStream()

    var prompts: [PresencePrompt] { state.withLock { $0.prompts } }

    /// Lets the user decide against his finger as soon as the sensor listens.
    func decide(_ decision: FingerDialogAnswer?) {
        state.withLock { $0.decision = decision }
    }

    /// Waits until the sensor listens.
    func listening() async {
        var iterator = signals.stream.makeAsyncIterator()
        _ = await iterator.next()
    }

    func show(_ prompt: PresencePrompt, _ progress: AsyncStream<ScanProgress>) async -> FingerDialogAnswer {
        let decision = state.withLock { state in
            state.prompts.append(prompt)
            return state.decision
        }
        for await step in progress where step == .ready {
            if let decision { return decision }
            signals.continuation.yield()
        }
        return .cancelled
    }
}
