import HardwareKeys
import MobileAuthentication
import Synchronization
import UserVerificationLinux

/// Where the passcode of the device comes from: a file, or the terminal.
final class PhonePasscode: PasscodeEntry {
    private let source: SecretSource
    private let failed = Mutex<CommandFailure?>(nil)

    init(_ source: SecretSource) { self.source = source }

    /// Why there was no passcode; nil while nothing went wrong.
    var failure: CommandFailure? {
        get { failed.withLock { $0 } }
        set { failed.withLock { $0 = newValue } }
    }

    func passcode(_ prompt: PresencePrompt) async throws(UserPresenceError) -> Passcode {
        source.terminal?.say(ForeignText.name(prompt.reason) + "\n")
        let typed: SecretBytes?
        do throws(CommandFailure) {
            typed = try await source.secret("Passcode of this device: ")
        } catch {
            failure = error
            throw .cancelled
        }
        guard let typed else { throw .cancelled }
        guard let passcode = typed.withUnsafeBytes({ Passcode(copying: $0) }) else { throw .mismatch }
        return passcode
    }
}
