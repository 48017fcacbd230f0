package import Octets
package import ServerCore

/// Answer to a browser at the authorization or logout endpoint.
package struct AuthorizationAnswer: Sendable {
    /// Place to which the browser goes.
    package enum Destination: Sendable {
        case signIn(AuthorizationSessionID)
        /// A registered address with the answer in its query (`code`, `state`, `iss`; RFC 9207), at most 8 KiB.
        case redirect(Sensitive<String>)
        /// A page with a form that the browser posts to a registered address.
        case form(AnswerForm)
        case page(AuthorizationAnswerPage)
    }

    package let destination: Destination
    /// Refusal that the browser carries to the client, for the log; nil for any other answer.
    package let refusal: OpenIDRefusal?
    /// Cookies to set: name, value and end, `SameSite=Lax; Secure; HttpOnly; Path=/`; a nil value forgets the cookie.
    package let cookies: [(name: String, value: Sensitive<String>?, expiresAt: Timestamp?)]
    /// Challenge that the browser signs to bind the session that begins to a key; nil where there is no session to bind.
    package var sessionChallenge: String?

    package init(
        _ destination: Destination, refusal: OpenIDRefusal? = nil,
        cookies: [(name: String, value: Sensitive<String>?, expiresAt: Timestamp?)] = []
    ) {
        self.destination = destination
        self.refusal = refusal
        self.cookies = cookies
    }
}

/// Page without a session.
package enum AuthorizationAnswerPage: Sendable, Hashable {
    case confirmLogout
    case loggedOut
}
