import HardwareKeys
import UserVerificationLinux

/// What the terminal shows while the sensor waits for a finger.
struct TerminalFingerDialog: FingerDialog {
    let terminal: Terminal

    func show(_ prompt: PresencePrompt, _ progress: AsyncStream<ScanProgress>) async -> FingerDialogAnswer {
        let hint = Task {
            for await step in progress {
                if case .retry(let reason) = step { terminal.say("\r\n" + Self.sentence(for: reason) + "\n") }
            }
        }
        defer { hint.cancel() }
        let fallback = prompt.fallbackTitle.flatMap { $0.isEmpty ? nil : ForeignText.name($0) }
        let ways = (fallback.map { "Enter: \($0). " } ?? "") + "Ctrl-C: cancel. "
        while true {
            switch await terminal.ask(ways) {
            case .line where fallback != nil: return .fallback
            case .line: continue
            case .interrupted, .ended: return .cancelled
            }
        }
    }

    private static func sentence(for reason: ScanProgress.Reason) -> String {
        switch reason {
        case .scanAgain: "The finger could not be read: once more."
        case .swipeTooShort: "That was too fast: once more."
        case .notCentered: "Put the finger in the middle: once more."
        case .liftFinger: "Lift the finger, and put it on the sensor again."
        @unknown default: "The finger could not be read: once more."
        }
    }
}
