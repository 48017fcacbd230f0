package import BackendAPI
import UAF

/// Response that ends a ceremony; whatever it grants is durable.
package struct AcceptedAnswer: Sendable {
    /// The body of the answer; with status 1200 it may carry tokens.
    package let message: ServerResponse
    /// The cookie of the login session that began.
    package let cookie: SessionCookie?

    /// The refusal that is an HTTP status instead of an answer; the message is then of no use.
    package let refusal: ServerError?

    /// An answer, with a cookie when a session began.
    package init(_ message: ServerResponse, cookie: SessionCookie? = nil) {
        self.message = message
        self.cookie = cookie
        refusal = nil
    }

    /// A refusal with an HTTP status.
    package init(refusal: ServerError) {
        message = ServerResponse(statusCode: .unacceptableContent)
        cookie = nil
        self.refusal = refusal
    }
}
