import Authenticators
import Foundation
import UAF
import UAFClient

/// Puts the questions of an operation to the application.
struct Conversation: Sendable {
    let environment: ClientEnvironment
    let participants: Participants

    var dialog: UserDialog { environment.dialog }

    // MARK: - Choices

    /// Choice of an authenticator, by AAID.
    func choice(_ question: SelectionQuestion) async throws(CeremonyFailure) -> UserAnswer<String> {
        let context = AuthenticatorSelectionState(
            question, try await environment.store.snapshot(), environment.profile)
        let answer = try await ask(participants.authenticatorSelector, "authenticatorSelector", question.limit) {
            $0.selectAuthenticator(context: context, handler: AnswerHandler($1))
        }
        guard case .given(let aaid) = answer else { return answer }
        return .given(environment.profile.counterpart(of: aaid))
    }

    /// Choice of an account, by user name.
    func choice(_ question: AccountQuestion) async throws(CeremonyFailure) -> UserAnswer<String> {
        let context = AccountSelectionState(question, try await environment.store.snapshot(), environment.profile)
        return try await ask(participants.accountSelector, "accountSelector", question.limit) {
            $0.selectAccount(context: context, handler: AnswerHandler($1))
        }
    }

    /// Digits of the other screen, as the user read them.
    func link(_ question: LinkingQuestion) async throws(CeremonyFailure) -> UserAnswer<String> {
        let context = ChannelLinkingState(question)
        return try await ask(participants.channelLinker, "channelLinker", question.limit) {
            $0.linkChannel(context: context, handler: ChannelLinkingAnswer($1, shownDigits: question.shownDigits))
        }
    }

    func consent(_ question: DeregistrationConfirmationQuestion) async throws(CeremonyFailure) -> UserAnswer<Void> {
        let context = DeregistrationConfirmationState(question)
        return try await ask(participants.deregistrationConfirmer, "deregistrationConfirmer", question.limit) {
            $0.confirmDeregistration(context: context, handler: AnswerHandler($1))
        }
    }

    // MARK: - Secrets

    func newSecret(_ question: EnrollmentQuestion) async throws(CeremonyFailure) -> UserAnswer<SecretBytes> {
        let username = question.username.text
        switch question.kind {
        case .pin:
            let context = EnrollmentQuestionState(
                username: username, lastRecoverableError: question.flaw.map(PinEnrollmentError.init))
            return try await ask(participants.pinEnroller, "pinEnroller", question.limit) {
                $0.enrollPin(context: context, handler: AnswerHandler($1))
            }
        case .password:
            let context = EnrollmentQuestionState(
                username: username, lastRecoverableError: question.flaw.map(PasswordEnrollmentError.init))
            return try await ask(participants.passwordEnroller, "passwordEnroller", question.limit) {
                $0.enrollPassword(context: context, handler: AnswerHandler($1))
            }
        }
    }

    func secret(_ question: VerificationQuestion) async throws(CeremonyFailure) -> UserAnswer<SecretBytes> {
        let snapshot = try await environment.store.snapshot().authenticator(question.credential.aaid)
        switch question.kind {
        case .pin:
            let context = VerificationQuestionState(
                snapshot: snapshot,
                authenticatorProtectionStatus: PinAuthenticatorProtectionStatus(question.protection))
            return try await ask(participants.pinUserVerifier, "pinUserVerifier", question.limit) {
                $0.verifyPin(context: context, handler: AnswerHandler($1))
            }
        case .password:
            let context = VerificationQuestionState(
                snapshot: snapshot,
                authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus(question.protection))
            return try await ask(participants.passwordUserVerifier, "passwordUserVerifier", question.limit) {
                $0.verifyPassword(context: context, handler: AnswerHandler($1))
            }
        }
    }

    func replacement(_ question: ChangeQuestion) async throws(CeremonyFailure) -> UserAnswer<OldAndNewSecret> {
        let username = question.username.text
        switch question.kind {
        case .pin:
            let context = ChangeQuestionState(
                username: username,
                authenticatorProtectionStatus: PinAuthenticatorProtectionStatus(question.protection),
                lastRecoverableError: question.flaw.map(PinChangeRecoverableError.init))
            return try await ask(participants.pinChanger, "pinChanger", question.limit) {
                $0.changePin(context: context, handler: AnswerHandler($1))
            }
        case .password:
            let context = ChangeQuestionState(
                username: username,
                authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus(question.protection),
                lastRecoverableError: question.flaw.map(PasswordChangeRecoverableError.init))
            return try await ask(participants.passwordChanger, "passwordChanger", question.limit) {
                $0.changePassword(context: context, handler: AnswerHandler($1))
            }
        }
    }

    /// Puts a question to a participant, which the builder method of this name would have set.
    func ask<Participant, Answer: Sendable>(
        _ participant: MainActorBox<Participant>?, _ name: String, _ limit: QuestionLimit,
        _ present: @escaping @MainActor @Sendable (Participant, OpenQuestion<Answer>) -> Void
    ) async throws(CeremonyFailure) -> UserAnswer<Answer> {
        guard let participant else { throw Self.missing(name) }
        return await dialog.ask(limit) { slot in present(participant.content, slot) }
    }

    static func missing(_ name: String) -> CeremonyFailure { .wrongUse(MissingParameterError(name)) }
}

extension AccountSelectionState {
    init(_ question: AccountQuestion, _ device: DeviceSnapshot, _ profile: DeviceProfile) {
        self.init(
            choices: question.shown.map(device.authenticator),
            compliance: question.candidates.map {
                Compliance(username: $0.username.text, aaids: $0.accepted.map(\.text))
            },
            transactionConfirmationData: question.transactionText.map { Data($0) }, profile: profile)
    }
}
