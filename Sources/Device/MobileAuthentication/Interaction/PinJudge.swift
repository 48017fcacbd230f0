import Authenticators

/// Judges a new PIN: first its form, then the list of common PINs, then the policy of the application.
struct PinJudge: Sendable {
    /// The lengths that a policy may choose from.
    static let permittedLengths = PIN.digitCounts

    let dialog: UserDialog
    let enroller: MainActorBox<any PinEnroller>

    /// What the policy of the application asks for, read on the main actor.
    private struct Rules: Sendable {
        let minLength: Int
        let maxLength: Int
        let allowsCommonPins: Bool
        let policy: MainActorBox<any PinPolicy>
    }

    /// The judgement; throws when the policy itself cannot be used or the application does not answer.
    func judge(_ pin: SecretBytes, limit: QuestionLimit) async throws(CeremonyFailure) -> PinJudgement {
        let rules = await MainActor.run {
            let policy = enroller.content.pinPolicy()
            return Rules(
                minLength: policy.minLength, maxLength: policy.maxLength, allowsCommonPins: policy.allowsCommonPins,
                policy: MainActorBox(policy))
        }
        guard rules.minLength <= rules.maxLength, Self.permittedLengths.contains(rules.minLength),
            Self.permittedLengths.contains(rules.maxLength)
        else { throw .wrongUse(InvalidParameterError("pinPolicy")) }
        if let refusal = Self.flaw(pin, rules) { return .refused(refusal) }
        if let refusal = try await objection(to: pin, rules, limit) { return .refused(refusal) }
        await MainActor.run { enroller.content.onValidCredentialsProvided() }
        return .accepted(pin)
    }

    private static func flaw(_ pin: SecretBytes, _ rules: Rules) -> PinEnrollmentError? {
        let isWellFormed = pin.withUnsafeBytes { bytes in
            (rules.minLength...rules.maxLength).contains(bytes.count)
                && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard isWellFormed else {
            let lengths =
                rules.minLength == rules.maxLength
                ? "\(rules.minLength)" : "\(rules.minLength) to \(rules.maxLength)"
            return .InvalidPinFormat(description: "The PIN must have \(lengths) digits.", cause: nil)
        }
        return rules.allowsCommonPins ? nil : commonness(of: pin)
    }

    private static func commonness(of pin: SecretBytes) -> PinEnrollmentError? {
        let octets = pin.duplicate()
        guard let pin = PIN(octets) else { return nil }
        do throws(GuessablePIN) {
            try pin.requireUnguessable()
            return nil
        } catch {
            return .CustomValidationError(message: "The PIN is too easy to guess.", cause: nil)
        }
    }

    /// What the application has against the PIN.
    private func objection(
        to pin: SecretBytes, _ rules: Rules, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> PinEnrollmentError? {
        let answer: UserAnswer<PinEnrollmentValidationError?> = await dialog.ask(limit) { slot in
            let policy = rules.policy.content
            guard !(policy is DefaultPinPolicy) else { return slot.answer(.given(nil)) }
            let reply = PolicyReply(slot)
            // The policy of an application takes a String; this copy cannot be wiped.
            let text = pin.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            policy.validatePinForEnrollment(text, onSuccess: { reply.give(nil) }, onError: { reply.give($0) })
        }
        switch answer {
        case .given(nil): return nil
        case .given(.some(.InvalidPin(let message, let cause))):
            return .CustomValidationError(message: message, cause: cause)
        case .canceled: throw .canceled
        case .timedOut: throw .fido(.userNotResponsive)
        }
    }
}

/// What the closures of a policy share: when both are released without a call, the waiting ends.
private final class PolicyReply: Sendable {
    private let slot: AnswerSlot<PinEnrollmentValidationError?>

    init(_ slot: AnswerSlot<PinEnrollmentValidationError?>) {
        self.slot = slot
    }

    deinit { slot.answer(.canceled) }

    func give(_ objection: PinEnrollmentValidationError?) { slot.answer(.given(objection)) }
}
