package import BackendAPI
package import ServerCore
import UAF

/// Response that ends a ceremony; whatever it grants is durable.
package struct AcceptedAnswer: Sendable {
    /// The body of the answer; with status 1200 it may carry tokens.
    package let message: ServerResponse
    package let cookie: SessionCookie?

    package init(_ message: ServerResponse, cookie: SessionCookie? = nil) {
        self.message = message
        self.cookie = cookie
    }
}
