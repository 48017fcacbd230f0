import HardwareKeys
import Synchronization
import UserVerificationLinux

/// A user who types what the test says, and remembers in which words he was asked.
final class TypedPasscode: PasscodeEntry {
    private let answer: Result<String, UserPresenceError>
    private let words = Mutex<[PresencePrompt]>([])

    init(_ answer: Result<String, UserPresenceError>) {
        self.answer = answer
    }

    convenience init(_ text: String) {
        self.init(.success(text))
    }

    var prompts: [PresencePrompt] { words.withLock { $0 } }

    func passcode(_ prompt: PresencePrompt) async throws(UserPresenceError) -> Passcode {
        words.withLock { $0.append(prompt) }
        guard let passcode = Passcode(copying: Array(try answer.get().utf8)) else { throw .mismatch }
        return passcode
    }
}
