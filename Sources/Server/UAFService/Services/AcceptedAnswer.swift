package import BackendAPI
package import ServerCore
import UAF

/// Response that ends a ceremony; whatever it grants is durable.
package struct AcceptedAnswer: Sendable {
    /// The body of the answer; with status 1200 it may carry tokens.
    package let message: ServerResponse
    /// The cookie of the login session that began.
    package let cookie: SessionCookie?

    /// An answer, with a cookie when a session began.
    package init(_ message: ServerResponse, cookie: SessionCookie? = nil) {
        self.message = message
        self.cookie = cookie
    }
}
