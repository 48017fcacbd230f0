/// Login sessions held by cookies.
package struct SessionSettings: Sendable, Hashable {
    /// Whether a successful authentication begins a session; a token is given out in any case.
    package var isEnabled = true
    /// Name of the cookie; `__Host-` makes browsers insist on `Secure` and `Path=/`.
    package var cookieName = "__Host-signet"
    /// Time from login to the end of the session.
    package var lifetime: Duration = .seconds(900)

    /// The defaults.
    package init() {}
}
