import CommandSupport
import Foundation
import MobileAuthentication
import UAFClient

extension PhoneUser {
    func passwordPolicy() -> any PasswordPolicy { AnyPassword() }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        enroll(.pin, context.lastRecoverableError, { handler.pin($0) }, orElse: handler.cancel)
    }

    func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
        enroll(.password, context.lastRecoverableError, { handler.password($0) }, orElse: handler.cancel)
    }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        let status = AttemptStatus(context.authenticatorProtectionStatus)
        verify(.pin, status, { handler.verify($0) }, orElse: handler.cancel)
    }

    func verifyPassword(
        context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler
    ) {
        let status = AttemptStatus(context.authenticatorProtectionStatus)
        verify(.password, status, { handler.verify($0) }, orElse: handler.cancel)
    }

    func changePin(context: any PinChangeContext, handler: any PinChangeHandler) {
        let refusal: (any LocalizedError)? =
            if case .InvalidPin? = context.lastRecoverableError { nil } else { context.lastRecoverableError }
        change(
            .pin, AttemptStatus(context.authenticatorProtectionStatus), refusal, { handler.pins($0, $1) },
            orElse: handler.cancel)
    }

    func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler) {
        let refusal: (any LocalizedError)? =
            if case .InvalidPassword? = context.lastRecoverableError { nil } else { context.lastRecoverableError }
        change(
            .password, AttemptStatus(context.authenticatorProtectionStatus), refusal, { handler.passwords($0, $1) },
            orElse: handler.cancel)
    }

    // MARK: - All kinds

    private func enroll(
        _ kind: SecretKind, _ refusal: (any LocalizedError)?, _ give: @escaping @MainActor (SecretBytes) -> Void,
        orElse cancel: @escaping @MainActor () -> Void
    ) {
        answer(orElse: cancel) { () async throws(CommandFailure) in
            try self.hear(refusal, of: kind, askingAgain: self.secrets)
            guard let secret = try await self.secrets.newSecret(kind) else { return nil }
            return { give(secret) }
        }
    }

    private func verify(
        _ kind: SecretKind, _ status: AttemptStatus, _ give: @escaping @MainActor (SecretBytes) -> Void,
        orElse cancel: @escaping @MainActor () -> Void
    ) {
        answer(orElse: cancel) { () async throws(CommandFailure) in
            try await self.heed(status, of: kind)
            guard let secret = try await self.secrets.secret("\(kind.title): ") else { return nil }
            self.hasAnswered = true
            return { give(secret) }
        }
    }

    private func change(
        _ kind: SecretKind, _ status: AttemptStatus, _ refusal: (any LocalizedError)?,
        _ give: @escaping @MainActor (SecretBytes, SecretBytes) -> Void,
        orElse cancel: @escaping @MainActor () -> Void
    ) {
        answer(orElse: cancel) { () async throws(CommandFailure) in
            try self.hear(refusal, of: kind, askingAgain: self.newSecrets)
            try await self.heed(status, of: kind)
            guard let old = try await self.secrets.secret("Old \(kind.noun): "),
                let new = try await self.newSecrets.newSecret(kind)
            else { return nil }
            self.hasAnswered = true
            return { give(old, new) }
        }
    }

    /// Reports why a new secret was refused; throws where no other one can be entered.
    private func hear(
        _ refusal: (any LocalizedError)?, of kind: SecretKind, askingAgain source: SecretSource
    ) throws(CommandFailure) {
        guard let refusal else { return }
        let sentence = refusal.errorDescription ?? "The \(kind.noun) was not accepted."
        guard source.terminal != nil else { throw .refused("\(kind.code)Refused", sentence) }
        tell(sentence)
    }

    /// Reports a wrong secret and waits for the end of the cool-down; throws where the command cannot ask again.
    private func heed(_ status: AttemptStatus, of kind: SecretKind) async throws(CommandFailure) {
        guard case .failed(let left, let seconds) = status else { return }
        let attempts = left == 1 ? "1 attempt is left" : "\(left) attempts are left"
        let sentence = "The last \(kind.noun) was wrong; \(attempts)."
        if let terminal = secrets.terminal {
            tell(sentence)
            await Countdown(terminal: terminal).run(seconds: seconds)
        } else if hasAnswered {
            throw .refused("Wrong\(kind.code)", sentence + (seconds > 0 ? " Wait \(seconds) seconds." : ""))
        } else if seconds > 0 {
            throw .refused("\(kind.code)CoolDown", sentence + " Wait \(seconds) seconds.")
        }
    }
}

enum AttemptStatus: Hashable {
    case open
    /// The last attempt was wrong; `left` attempts remain, and entries are refused until `seconds` have passed.
    case failed(left: Int, seconds: Int)

    init(_ status: PinAuthenticatorProtectionStatus) {
        if case .LastAttemptFailed(let tries, let seconds) = status {
            self = .failed(left: tries, seconds: seconds)
        } else {
            self = .open
        }
    }

    init(_ status: PasswordAuthenticatorProtectionStatus) {
        if case .LastAttemptFailed(let tries, let seconds) = status {
            self = .failed(left: tries, seconds: seconds)
        } else {
            self = .open
        }
    }
}

struct AnyPassword: PasswordPolicy {
    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void
    ) {
        onSuccess()
    }

    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordChangeValidationError) -> Void
    ) {
        onSuccess()
    }
}

extension SecretKind {
    /// Noun for use within a sentence.
    var noun: String {
        switch self {
        case .pin: "PIN"
        case .password: "password"
        }
    }

    /// Noun for the beginning of a prompt.
    var title: String {
        switch self {
        case .pin: "PIN"
        case .password: "Password"
        }
    }

    var code: String {
        switch self {
        case .pin: "Pin"
        case .password: "Password"
        }
    }
}
