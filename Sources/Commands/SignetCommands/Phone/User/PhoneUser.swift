import Foundation
import MobileAuthentication
import VirtualDevice

/// The person who holds the phone: chooses, gives secrets, shows fingers.
///
/// What comes from a file is given once; the terminal is asked until it is right, locked, or the person has enough. Every
/// question is answered by a task, so that an operation may end, or be cancelled, while the person thinks.
@MainActor
final class PhoneUser: DeviceUser {
    let wish: AuthenticatorWish
    let secrets: SecretSource
    let newSecrets: SecretSource
    /// Where to tell the person something; nil for the standard error.
    let terminal: Terminal?
    /// Whether the passcode of the device comes from a file, which is not worth a second try.
    let hasPasscodeFile: Bool
    /// What the person has decided about an operation that a server has begun.
    let reply: OperationReply

    /// Whether a secret was given already, so that a further question means that it was wrong.
    var hasAnswered = false
    /// Whether the person has seen what the operation is about, and wants it.
    var hasConfirmed = false
    /// How the person refused the operation; nil while he did not.
    var denial: OperationReply.Verdict?
    /// Why the person gave up; nil while nothing went wrong.
    private(set) var surrender: CommandFailure?
    private var answering: [Task<Void, Never>] = []

    /// A person of a command.
    init(
        wanting choice: AuthenticatorChoice? = nil, secretFile: String? = nil, newSecretFile: String? = nil,
        passcodeFile: String? = nil, reply: OperationReply = .approval
    ) {
        self.reply = reply
        let terminal = Terminal()
        self.terminal = terminal
        wish = AuthenticatorWish(choice)
        secrets = SecretSource(file: secretFile, orElse: terminal, option: "--secret-file")
        newSecrets = SecretSource(file: newSecretFile, orElse: terminal, option: "--new-secret-file")
        hasPasscodeFile = passcodeFile != nil
    }

    /// A person at a terminal, who is asked for everything.
    init(at terminal: Terminal) {
        self.terminal = terminal
        wish = .asked(terminal)
        secrets = .terminal(terminal)
        newSecrets = .terminal(terminal)
        hasPasscodeFile = false
        reply = .approval
    }

    /// Tells the person a sentence.
    func tell(_ sentence: String) {
        if let terminal { terminal.say(sentence + "\n") } else { StandardError.write(sentence + "\n") }
    }

    /// Answers a question in a task of its own: `body` says how, or gives nil when the person does not want to.
    ///
    /// A failure ends the operation like the person's own no, and is kept as the reason.
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

    /// Takes back every question that is still before the person, because its operation has ended.
    func dismiss() async {
        for task in answering { task.cancel() }
        for task in answering { await task.value }
        answering = []
    }

    /// Runs an operation; when the person gave up, the failure says why, not only that.
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

/// The operating system asks here; the person is told what for.
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
            // A file says the same again, and every wrong try counts for the account.
            guard !self.hasPasscodeFile else { throw .refused("WrongPasscode", "The passcode was wrong.") }
            self.tell("The passcode was wrong.")
            return { handler.verify() }
        }
    }
}
