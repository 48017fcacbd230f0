/// Login sessions held by cookies.
package struct SessionSettings: Sendable, Hashable {
    /// Whether a successful authentication begins a session; a token is given out in any case.
    package var isEnabled = true
    /// Name of the cookie; `__Host-` makes browsers insist on `Secure` and `Path=/`.
    package var cookieName = "__Host-signet"
    /// Name of the cookie that ties an answer to its request; a name of its own, so that asking for a login never
    /// replaces the login there is.
    package var bindingCookieName: String { cookieName + "-request" }
    /// Time from login to the end of the session.
    package var lifetime: Duration = .seconds(900)

    /// The defaults.
    package init() {}
}
