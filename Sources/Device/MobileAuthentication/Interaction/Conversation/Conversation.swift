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
        guard let selector = participants.authenticatorSelector else { throw Self.missing("authenticatorSelector") }
        let context = AuthenticatorSelectionState(
            question, try await environment.store.snapshot(), environment.profile)
        let answer: UserAnswer<String> = await dialog.ask(question.limit) { slot in
            selector.content.selectAuthenticator(context: context, handler: AnswerHandler(slot))
        }
        guard case .given(let aaid) = answer else { return answer }
        return .given(environment.profile.counterpart(of: aaid))
    }

    /// Choice of an account, by user name.
    func choice(_ question: AccountQuestion) async throws(CeremonyFailure) -> UserAnswer<String> {
        guard let selector = participants.accountSelector else { throw Self.missing("accountSelector") }
        let context = AccountSelectionState(question, try await environment.store.snapshot(), environment.profile)
        return await dialog.ask(question.limit) { slot in
            selector.content.selectAccount(context: context, handler: AnswerHandler(slot))
        }
    }

    /// Digits of the other screen, as the user read them.
    func link(_ question: LinkingQuestion) async throws(CeremonyFailure) -> UserAnswer<String> {
        guard let linker = participants.channelLinker else { throw Self.missing("channelLinker") }
        let context = ChannelLinkingState(question)
        return await dialog.ask(question.limit) { slot in
            linker.content.linkChannel(
                context: context, handler: ChannelLinkingAnswer(slot, shownDigits: question.shownDigits))
        }
    }

    func consent(_ question: DeregistrationConfirmationQuestion) async throws(CeremonyFailure) -> UserAnswer<Void> {
        guard let confirmer = participants.deregistrationConfirmer else {
            throw Self.missing("deregistrationConfirmer")
        }
        let context = DeregistrationConfirmationState(question)
        return await dialog.ask(question.limit) { slot in
            confirmer.content.confirmDeregistration(context: context, handler: DeregistrationConfirmationAnswer(slot))
        }
    }

    // MARK: - Secrets

    func newSecret(_ question: EnrollmentQuestion) async throws(CeremonyFailure) -> UserAnswer<SecretBytes> {
        let username = question.username.text
        switch question.kind {
        case .pin:
            guard let enroller = participants.pinEnroller else { throw Self.missing("pinEnroller") }
            let context = EnrollmentQuestionState(
                username: username, lastRecoverableError: question.flaw.map(PinEnrollmentError.init))
            return await dialog.ask(question.limit) { slot in
                enroller.content.enrollPin(context: context, handler: AnswerHandler(slot))
            }
        case .password:
            guard let enroller = participants.passwordEnroller else { throw Self.missing("passwordEnroller") }
            let context = EnrollmentQuestionState(
                username: username, lastRecoverableError: question.flaw.map(PasswordEnrollmentError.init))
            return await dialog.ask(question.limit) { slot in
                enroller.content.enrollPassword(context: context, handler: AnswerHandler(slot))
            }
        }
    }

    func secret(_ question: VerificationQuestion) async throws(CeremonyFailure) -> UserAnswer<SecretBytes> {
        let snapshot = try await environment.store.snapshot().authenticator(question.credential.aaid)
        switch question.kind {
        case .pin:
            guard let verifier = participants.pinUserVerifier else { throw Self.missing("pinUserVerifier") }
            let context = VerificationQuestionState(
                snapshot: snapshot,
                authenticatorProtectionStatus: PinAuthenticatorProtectionStatus(question.protection))
            return await dialog.ask(question.limit) { slot in
                verifier.content.verifyPin(context: context, handler: AnswerHandler(slot))
            }
        case .password:
            guard let verifier = participants.passwordUserVerifier else { throw Self.missing("passwordUserVerifier") }
            let context = VerificationQuestionState(
                snapshot: snapshot,
                authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus(question.protection))
            return await dialog.ask(question.limit) { slot in
                verifier.content.verifyPassword(context: context, handler: AnswerHandler(slot))
            }
        }
    }

    func replacement(_ question: ChangeQuestion) async throws(CeremonyFailure) -> UserAnswer<OldAndNewSecret> {
        let username = question.username.text
        switch question.kind {
        case .pin:
            guard let changer = participants.pinChanger else { throw Self.missing("pinChanger") }
            let context = ChangeQuestionState(
                username: username,
                authenticatorProtectionStatus: PinAuthenticatorProtectionStatus(question.protection),
                lastRecoverableError: question.flaw.map(PinChangeRecoverableError.init))
            return await dialog.ask(question.limit) { slot in
                changer.content.changePin(context: context, handler: AnswerHandler(slot))
            }
        case .password:
            guard let changer = participants.passwordChanger else { throw Self.missing("passwordChanger") }
            let context = ChangeQuestionState(
                username: username,
                authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus(question.protection),
                lastRecoverableError: question.flaw.map(PasswordChangeRecoverableError.init))
            return await dialog.ask(question.limit) { slot in
                changer.content.changePassword(context: context, handler: AnswerHandler(slot))
            }
        }
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
