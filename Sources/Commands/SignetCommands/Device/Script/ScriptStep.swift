import MobileAuthenticationTestKit

/// One thing that a scripted user does, and how it has to end.
struct ScriptStep: Sendable {
    /// How a step ends that goes well.
    static let good = "ok"

    let action: ScriptAction
    var user = ""
    var authenticator: AuthenticatorChoice?
    /// The PIN or password that the user knows.
    var secret: String?
    /// The one after a change.
    var newSecret: String?
    /// What shows the server that the user may register or deregister.
    var evidence: AuthorizationRight.Evidence?
    var allowsPasscodeFallback = false
    var keepsOnNewBiometrics = false
    /// What the user does with the questions, in their order; those after them are answered rightly.
    var reactions: [Reaction] = []
    /// How long to wait.
    var pause = Duration.zero
    /// Who has to be registered, exactly.
    var accounts: [String]?
    /// `ok`, or the name of a failure: its own, that of the FIDO code, or the status of the server.
    var expectation = Self.good
}
