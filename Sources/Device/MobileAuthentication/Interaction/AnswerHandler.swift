import UAFClient

/// Handler of every question whose answer is one value: it resumes the waiting operation.
///
/// The first answer counts, later ones do nothing, and a handler that is released without an answer cancels.
final class AnswerHandler<Value: Sendable>: InteractionHandler {
    private let question: OpenQuestion<Value>

    init(_ question: OpenQuestion<Value>) { self.question = question }

    deinit { question.fill(.canceled) }

    func give(_ value: Value) { question.fill(.given(value)) }

    func cancel() { question.fill(.canceled) }

    func cancel(reporting report: CancellationReport) { question.fill(report == .unexpected ? .denied : .canceled) }

    func onEnd(_ action: @escaping @MainActor () -> Void) { question.onEnd(action) }
}

// MARK: - Choices

extension AnswerHandler: AccountSelectionHandler, AuthenticatorSelectionHandler where Value == String {
    func username(_ username: String) { give(username) }

    func aaid(_ aaid: String) { give(aaid) }
}

extension AnswerHandler: DeregistrationConfirmationHandler where Value == Void {
    func confirm() { give(()) }
}

// MARK: - Secrets

extension AnswerHandler: PinUserVerificationHandler, PasswordUserVerificationHandler, PinEnrollmentHandler,
    PasswordEnrollmentHandler
where Value == SecretBytes {
    func verify(_ secret: String) { give(SecretBytes(secret)) }

    func verify(_ secret: SecretBytes) { give(secret) }

    func pin(_ pin: String) { give(SecretBytes(pin)) }

    func pin(_ pin: SecretBytes) { give(pin) }

    func password(_ password: String) { give(SecretBytes(password)) }

    func password(_ password: SecretBytes) { give(password) }
}

extension AnswerHandler: PinChangeHandler, PasswordChangeHandler where Value == OldAndNewSecret {
    func pins(_ oldPin: String, _ newPin: String) { pins(SecretBytes(oldPin), SecretBytes(newPin)) }

    func pins(_ oldPin: SecretBytes, _ newPin: SecretBytes) { give(OldAndNewSecret(old: oldPin, new: newPin)) }

    func passwords(_ oldPassword: String, _ newPassword: String) {
        passwords(SecretBytes(oldPassword), SecretBytes(newPassword))
    }

    func passwords(_ oldPassword: SecretBytes, _ newPassword: SecretBytes) {
        give(OldAndNewSecret(old: oldPassword, new: newPassword))
    }
}
