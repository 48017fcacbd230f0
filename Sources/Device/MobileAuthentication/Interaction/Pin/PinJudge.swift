import Authenticators

/// Judges a new PIN: first its form, then the list of common PINs, then the policy of the application.
struct PinJudge: Sendable {
    /// The lengths that a policy may choose from.
    static let permittedLengths = PIN.digitCounts

    let dialog: UserDialog
    let provider: MainActorBox<any PinPolicyProvider>
    let purpose: SecretPurpose

    /// What the policy of the application asks for, read on the main actor.
    private struct Rules: Sendable {
        let lengths: ClosedRange<Int>
        let allowsCommonPins: Bool
        let policy: MainActorBox<any PinPolicy>
    }

    /// What is wrong with a PIN; throws when the policy itself cannot be used or the application does not answer.
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
        guard Self.isWellFormed(pin, rules.lengths) else { return .malformedPin(digits: rules.lengths) }
        if !rules.allowsCommonPins, Self.isGuessable(pin) { return .guessablePin }
        return try await objection(to: pin, rules.policy, limit)
    }

    private static func isWellFormed(_ pin: SecretBytes, _ lengths: ClosedRange<Int>) -> Bool {
        pin.withUnsafeBytes { bytes in
            lengths.contains(bytes.count)
                && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    private static func isGuessable(_ pin: SecretBytes) -> Bool {
        let octets = pin.duplicate()
        guard let pin = PIN(octets) else { return false }
        do throws(GuessablePIN) {
            try pin.requireUnguessable()
            return false
        } catch {
            return true
        }
    }

    /// What the application has against the PIN.
    private func objection(
        to pin: SecretBytes, _ policy: MainActorBox<any PinPolicy>, _ limit: QuestionLimit
    ) async throws(CeremonyFailure) -> SecretFlaw? {
        let purpose = purpose
        let verdict: UserAnswer<SecretFlaw?> = await dialog.ask(limit) { slot in
            let policy = policy.content
            guard !(policy is DefaultPinPolicy) else { return slot.answer(.given(nil)) }
            let reply = PolicyReply(slot)
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
