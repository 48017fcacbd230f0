/// Judges a new password: first what no password may be, then the policy of the application.
struct PasswordJudge: Sendable {
    let dialog: UserDialog
    let provider: MainActorBox<any PasswordPolicyProvider>
    let purpose: SecretPurpose

    /// What is wrong with a password; throws when the application does not answer.
    func flaw(of password: SecretBytes, _ limit: QuestionLimit) async throws(CeremonyFailure) -> SecretFlaw? {
        guard password.isPassword else { return .unusablePassword }
        let purpose = purpose
        let verdict: UserAnswer<SecretFlaw?> = await dialog.ask(limit) { slot in
            let policy = provider.content.passwordPolicy()
            let reply = PolicyReply(slot)
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
