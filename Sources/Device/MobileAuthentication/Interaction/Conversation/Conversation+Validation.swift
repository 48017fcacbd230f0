import Authenticators
import HardwareKeys
import UAFClient

extension Conversation {
    func flaw(
        of secret: SecretBytes, _ kind: SecretKind, for purpose: SecretPurpose, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> SecretFlaw? {
        let flaw: SecretFlaw?
        switch kind {
        case .pin:
            guard let provider = pinPolicyProvider(purpose) else { throw Self.missing("pinEnroller") }
            flaw = try await PinJudge(dialog: dialog, provider: provider, purpose: purpose).flaw(of: secret, limit)
        case .password:
            guard let provider = passwordPolicyProvider(purpose) else { throw Self.missing("passwordEnroller") }
            flaw = try await PasswordJudge(dialog: dialog, provider: provider, purpose: purpose)
                .flaw(of: secret, limit)
        }
        if flaw == nil { await notifySuccess(kind.authenticator, during: purpose == .change ? .change : .enrollment) }
        return flaw
    }

    private func pinPolicyProvider(_ purpose: SecretPurpose) -> MainActorBox<any PinPolicyProvider>? {
        switch purpose {
        case .enrollment: participants.pinEnroller?.viewed { $0 }
        case .change: participants.pinChanger?.viewed { $0 }
        }
    }

    private func passwordPolicyProvider(_ purpose: SecretPurpose) -> MainActorBox<any PasswordPolicyProvider>? {
        switch purpose {
        case .enrollment: participants.passwordEnroller?.viewed { $0 }
        case .change: participants.passwordChanger?.viewed { $0 }
        }
    }
}

/// Validation of a new PIN: first its form, then the list of common PINs, then the policy of the application.
struct PinJudge: Sendable {
    static let permittedLengths = UserSecret.digitCounts

    let dialog: UserDialog
    let provider: MainActorBox<any PinPolicyProvider>
    let purpose: SecretPurpose

    /// Requirements of the application's policy, read on the main actor.
    private struct Rules: Sendable {
        let lengths: ClosedRange<Int>
        let allowsCommonPins: Bool
        let policy: MainActorBox<any PinPolicy>
    }

    /// Flaw of a PIN, nil for none; throws when the policy itself cannot be used or the application does not answer.
    func flaw(of pin: SecretBytes, _ limit: QuestionLimit) async throws(CeremonyFailure) -> SecretFlaw? {
        let rules = await MainActor.run { () -> Rules? in
            let policy = provider.content.pinPolicy()
            let (least, most) = (policy.minLength, policy.maxLength)
            guard least <= most, Self.permittedLengths.contains(least), Self.permittedLengths.contains(most) else {
                return nil
            }
            return Rules(
                lengths: least...most, allowsCommonPins: policy.allowsCommonPins, policy: MainActorBox(policy))
        }
        guard let rules else { throw .wrongUse(InvalidParameterError("pinPolicy")) }
        guard rules.lengths.contains(pin.count), pin.withUnsafeBytes({ UserSecret.isPIN($0) }) else {
            return .malformedPin(digits: rules.lengths)
        }
        if !rules.allowsCommonPins, pin.withUnsafeBytes({ GuessablePINs.contains($0) }) { return .guessablePin }
        return try await objection(to: pin, rules.policy, limit)
    }

    private func objection(
        to pin: SecretBytes, _ policy: MainActorBox<any PinPolicy>, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> SecretFlaw? {
        let purpose = purpose
        let verdict: UserAnswer<SecretFlaw?> = await dialog.ask(limit) { slot in
            let policy = policy.content
            guard !(policy is DefaultPinPolicy) else { return slot.fill(.given(nil)) }
            // The closures share it: when both are released without a call, the waiting ends.
            let reply = AnswerHandler(slot)
            // The policy of an application takes a String; this copy cannot be wiped.
            let text = pin.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            switch purpose {
            case .enrollment:
                policy.validatePinForEnrollment(
                    text, onSuccess: { reply.give(nil) }, onError: { reply.give(SecretFlaw($0)) })
            case .change:
                policy.validatePinForPinChange(
                    text, onSuccess: { reply.give(nil) }, onError: { reply.give(SecretFlaw($0)) })
            }
        }
        return try verdict.required()
    }
}

/// Validation of a new password: first the rules for every password, then the policy of the application.
struct PasswordJudge: Sendable {
    let dialog: UserDialog
    let provider: MainActorBox<any PasswordPolicyProvider>
    let purpose: SecretPurpose

    /// Flaw of a password, nil for none; throws when the application does not answer.
    func flaw(of password: SecretBytes, _ limit: QuestionLimit) async throws(CeremonyFailure) -> SecretFlaw? {
        guard password.withUnsafeBytes({ UserSecret(password: $0) != nil }) else { return .unusablePassword }
        let purpose = purpose
        let verdict: UserAnswer<SecretFlaw?> = await dialog.ask(limit) { slot in
            let policy = provider.content.passwordPolicy()
            // The closures share it: when both are released without a call, the waiting ends.
            let reply = AnswerHandler(slot)
            // The policy of an application takes a String; this copy cannot be wiped.
            let text = password.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            switch purpose {
            case .enrollment:
                policy.validatePasswordForEnrollment(
                    text, onSuccess: { reply.give(nil) }, onError: { reply.give(SecretFlaw($0)) })
            case .change:
                policy.validatePasswordForPasswordChange(
                    text, onSuccess: { reply.give(nil) }, onError: { reply.give(SecretFlaw($0)) })
            }
        }
        return try verdict.required()
    }
}

/// Purpose of a new secret; a policy may depend on it.
enum SecretPurpose: Sendable {
    case enrollment
    case change
}
