import CommandSupport
import Foundation
import MobileAuthentication

/// User of the phone: chooses accounts and authenticators, enters secrets, presents fingers.
///
/// A secret from a file is tried once; the terminal is asked until the secret is right, the key is locked, or the user
/// cancels. Every question is answered in a separate task, so that an operation can end or be cancelled while the user
/// thinks.
@MainActor
final class PhoneUser: DeviceUser {
    let wish: RequestedAuthenticator
    let secrets: SecretSource
    let newSecrets: SecretSource
    /// Terminal for messages to the user; nil for standard error.
    let terminal: Terminal?
    /// Whether the device passcode comes from a file, which is not worth a second attempt.
    let hasPasscodeFile: Bool
    let reply: OperationReply

    /// Whether a secret was entered before, so that a further question means that it was wrong.
    var hasAnswered = false
    /// Whether the user has seen the content of the operation and approved it.
    var hasConfirmed = false
    /// Kind of the user's denial; nil while they have not denied the operation.
    var denial: OperationReply.Verdict?
    /// Failure that made the user's answer impossible; nil while nothing failed.
    private(set) var surrender: CommandFailure?
    private var answering: [Task<Void, Never>] = []

    /// User of a command, whose answers come from its options, and from the terminal where there is one.
    init(
        wanting choice: AuthenticatorChoice? = nil, secretFile: String? = nil, newSecretFile: String? = nil,
        passcodeFile: String? = nil, reply: OperationReply = .approval
    ) {
        self.reply = reply
        let terminal = Terminal()
        self.terminal = terminal
        wish = RequestedAuthenticator(choice)
        secrets = SecretSource(file: secretFile, orElse: terminal, option: "--secret-file")
        newSecrets = SecretSource(file: newSecretFile, orElse: terminal, option: "--new-secret-file")
        hasPasscodeFile = passcodeFile != nil
    }

    init(at terminal: Terminal) {
        self.terminal = terminal
        wish = .asked(terminal)
        secrets = .terminal(terminal)
        newSecrets = .terminal(terminal)
        hasPasscodeFile = false
        reply = .approval
    }

    func tell(_ sentence: String) {
        if let terminal { terminal.say(sentence + "\n") } else { StandardError.write(sentence + "\n") }
    }

    /// Answers a question in a separate task: `body` returns the answer, or nil when the user does not give one.
    ///
    /// A failure ends the operation like a denial, and is kept as the reason.
    func answer(
        orElse cancel: @escaping @MainActor () -> Void,
        _ body: @escaping @MainActor () async throws(CommandFailure) -> (@MainActor () -> Void)?
    ) {
        let task = Task {
            do throws(CommandFailure) {
                guard let give = try await body(), !Task.isCancelled else { return cancel() }
                give()
            } catch {
                surrender = error
                cancel()
            }
        }
        answering.append(task)
    }

    /// Cancels every question that is still open, because its operation has ended.
    func dismiss() async {
        for task in answering { task.cancel() }
        for task in answering { await task.value }
        answering = []
    }

    /// Runs an operation; a failure to answer replaces the operation's own error, which would only report a
    /// cancellation.
    func explaining<Value: Sendable>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            let value = try await operation()
            await dismiss()
            return value
        } catch {
            await dismiss()
            if let surrender { throw surrender }
            throw error
        }
    }
}

/// Prompts that accompany a verification by the operating system, with the reason for it.
extension PhoneUser {
    func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler
    ) {
        tell("Show your finger or face to the sensor.")
        handler.verify()
    }

    func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler
    ) {
        if let error = context.lastRecoverableError { tell(error.errorDescription ?? "The finger was not recognised.") }
        tell("Put your finger on the sensor.")
        handler.listenForOsCredentials()
    }

    func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler
    ) {
        let isSecondTime = hasAnswered
        hasAnswered = true
        answer(orElse: handler.cancel) { () async throws(CommandFailure) in
            guard isSecondTime else { return { handler.verify() } }
            // A file would give the same wrong passcode again, and every wrong attempt counts against the account.
            guard !self.hasPasscodeFile else { throw .refused("WrongPasscode", "The passcode was wrong.") }
            self.tell("The passcode was wrong.")
            return { handler.verify() }
        }
    }
}
