package import Octets

/// Answer that a browser posts to a client (OAuth 2.0 Form Post Response Mode, 2).
package struct AnswerForm: Sendable {
    package let redirect: RedirectAddress
    /// Fields of the answer: `code` or `error`, `state`, `iss`.
    package let fields: Sensitive<[(name: String, value: String)]>

    package init(redirect: RedirectAddress, fields: Sensitive<[(name: String, value: String)]>) {
        self.redirect = redirect
        self.fields = fields
    }
}
