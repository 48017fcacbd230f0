import CommandSupport
import HardwareKeys
import MobileAuthentication
import MobileAuthenticationTestKit
import Synchronization
import UserVerificationLinux

/// User verification by this machine: fingerprints by fprintd, the device passcode by PAM; it keeps the problems that
/// prevented a verification.
final class PhoneVerification: Sendable {
    private struct Notes {
        var support: Set<VerificationProblem> = []
        var verification: [VerificationProblem] = []
    }

    private let pamFolder: String?
    private let terminal: Terminal?
    private let passcode: PhonePasscode
    private let notes = Mutex(Notes())
    private let coolDownClock: VirtualClock?

    /// `coolDownClock` lets the cool-down periods of a demonstration pass without waiting.
    init(
        _ options: PasscodeOptions? = nil, at terminal: Terminal? = Terminal(), coolDownClock: VirtualClock? = nil
    ) {
        self.coolDownClock = coolDownClock
        pamFolder = options?.pamFolder
        self.terminal = terminal
        passcode = PhonePasscode(
            SecretSource(file: options?.passcodeFile, orElse: terminal, option: "--passcode-file"))
    }

    func surroundings() throws(CommandFailure) -> VirtualDevice.Surroundings {
        let service = try service()
        let dialog: any FingerDialog = terminal.map(TerminalFingerDialog.init) ?? SilentFingerDialog()
        var surroundings = VirtualDevice.Surroundings()
        surroundings.presence = LinuxUserPresence(
            sensor: FprintdSensor { [weak self] in self?.note($0) }, dialog: dialog,
            passcode: PAMPasscode(service: service, entry: passcode) { [weak self] in self?.note($0) })
        surroundings.platform = LinuxAuthenticatorPlatform(
            sensor: FprintdSensor { [weak self] in self?.noteSupport($0) }, service: service)
        surroundings.deviceLock = LinuxDeviceLock()
        if let coolDownClock { surroundings.coolDownClock = coolDownClock }
        if !service.isInstalled { noteSupport(.serviceFileMissing(name: service.name)) }
        return surroundings
    }

    var complaints: [String] { notes.withLock { $0.support.map(\.description).sorted() } }

    func forget() {
        passcode.failure = nil
        notes.withLock { $0.verification = [] }
    }

    func explained(_ error: any Error) -> any Error {
        if let failure = passcode.failure { return failure }
        let problems = notes.withLock { $0.verification }
        guard !problems.isEmpty, error is any MobileAuthenticationClientError else { return error }
        var failure = CommandFailure(reporting: error)
        failure.message = ([failure.message] + problems.map(\.description)).joined(separator: " ")
        return failure
    }

    private func service() throws(CommandFailure) -> PAMService {
        guard let pamFolder else { return .signet }
        guard let service = PAMService(name: PAMService.signet.name, folder: pamFolder) else {
            throw .local("BadPAMFolder", "the folder of the PAM service must be an absolute path: \(pamFolder)")
        }
        return service
    }

    private func note(_ problem: VerificationProblem) {
        notes.withLock { if !$0.verification.contains(problem) { $0.verification.append(problem) } }
    }

    private func noteSupport(_ problem: VerificationProblem) { notes.withLock { _ = $0.support.insert(problem) } }
}

final class PhonePasscode: PasscodeEntry {
    private let source: SecretSource
    private let failed = Mutex<CommandFailure?>(nil)

    init(_ source: SecretSource) { self.source = source }

    /// Reason for the missing passcode; nil while nothing failed.
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

/// Prompt on the terminal while the fingerprint sensor waits for a finger.
struct TerminalFingerDialog: FingerDialog {
    let terminal: Terminal

    func show(_ prompt: PresencePrompt, _ progress: AsyncStream<ScanProgress>) async -> FingerDialogAnswer {
        let hint = Task {
            for await step in progress {
                if case .retry(let reason) = step { terminal.control("\r\n" + Self.sentence(for: reason) + "\n") }
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
