import Testing

@testable import MobileAuthentication

@Suite("Passwords of applications that name no policy")
@MainActor
struct DefaultPasswordPolicyTests {
    /// Every policy that stands in for a missing one.
    private var policies: [any PasswordPolicy] {
        [
            InteractionStream().passwordPolicy(),
            PasswordEnrollment.async { _ in SecretBytes(copying: []) }.passwordPolicy(),
            PasswordReplacement.async { _ in (old: SecretBytes(copying: []), new: SecretBytes(copying: [])) }
                .passwordPolicy(),
        ]
    }

    /// What a policy says against a password, in an enrolment and in a change.
    private func flaws(_ password: String, _ policy: any PasswordPolicy) -> [String?] {
        var flaws: [String?] = []
        policy.validatePasswordForEnrollment(password) {
            flaws.append(nil)
        } onError: {
            flaws.append($0.errorDescription)
        }
        policy.validatePasswordForPasswordChange(password) {
            flaws.append(nil)
        } onError: {
            flaws.append($0.errorDescription)
        }
        return flaws
    }

    @Test(
        "O-A3: closures and the interaction stream refuse short and common passwords", arguments: ["", "a", "7 chars"])
    func short(password: String) {
        let text = SDKText.shortPassword(8).localized
        for policy in policies { #expect(flaws(password, policy) == [text, text]) }
    }

    @Test(
        "O-A3: what is guessed first is refused",
        arguments: ["password", "PassWord1", "aaaaaaaaaaaa", "12121212", "qwertzui"])
    func common(password: String) {
        let text = SDKText.guessablePassword.localized
        for policy in policies { #expect(flaws(password, policy) == [text, text]) }
    }

    @Test(
        "O-A3: everything else passes, without rules on kinds of characters",
        arguments: ["correct horse", "hhmmäßłż", "🙂🙃🙁😀🙂🙃🙁😀"])
    func good(password: String) {
        for policy in policies { #expect(flaws(password, policy) == [nil, nil]) }
    }
}
