package import ServerCore

/// Checked content of an authorization request (OpenID Connect Core 1.0, 3.1.2.1; RFC 7636; RFC 9126).
package struct AuthorizationParameters: Sendable, Hashable {
    /// Value of `prompt`; `none` stands alone.
    ///
    /// `consent` and `select_account` ask for a fresh confirmation as `login` does.
    package enum Prompt: String, Sendable, Hashable, CaseIterable {
        case none, login, consent
        case selectAccount = "select_account"
    }

    /// Way in which the browser carries the answer to the client (`response_mode`).
    package enum ResponseMode: String, Sendable, Hashable, CaseIterable {
        /// In the query of the address, by a redirect.
        case query
        /// In a form that the browser posts there (OAuth 2.0 Form Post Response Mode), so that no address holds the answer.
        case formPost = "form_post"
    }

    /// Client that asks; for a pushed request, the client that pushed it.
    package let client: ClientID
    /// One of the registered addresses, named by the request.
    package let redirect: RedirectAddress
    /// `code_challenge` of S256 (RFC 7636, 4.2): 32 octets; nil where the `nonce` of a confidential client stands in for it
    /// (RFC 9700, 2.1.1).
    ///
    /// There is no other method.
    package let codeChallenge: [UInt8]?
    /// Key to which the tokens have to be bound (`dpop_jkt`; RFC 9449, 10); nil where the token request decides.
    package var key: ClientKeyThumbprint?
    package var responseMode = ResponseMode.query
    package var scopes: Set<ScopeName> = [.openID]
    /// `state`, given back as it came: at most 4,096 octets of printable ASCII.
    package var state: String?
    /// `nonce`, for the ID token: at most 512 octets of printable ASCII.
    package var nonce: String?
    package var prompts: Set<Prompt> = []
    /// `max_age` in seconds, 0 or more.
    package var maximumAge: Duration?
    /// `login_hint`: a user name of 1 to 128 characters; it fills in the form and grants nothing.
    package var loginHint: String?
    /// External ID of the user whom `id_token_hint` names, empty for a hint that is no ID token of ours; nil without a hint.
    ///
    /// Only that user's session of a browser, or that user's confirmation, is an answer.
    package var hintedSubject: String?
    /// `acr_values` that the client accepts, each once; empty: any.
    package var assurance: [Assurance] = []
    /// Text that the phone shows and signs (`authorization_details`, type `signet_confirmation`), 1 to 4,096 octets of
    /// UTF-8 by the rules of transactions.
    ///
    /// Only a pushed request may carry one: a browser could change it.
    package var text: String?
    /// First supported language of `ui_locales`; nil: the browser's.
    package var language: String?

    package init(client: ClientID, redirect: RedirectAddress, codeChallenge: [UInt8]?) {
        self.client = client
        self.redirect = redirect
        self.codeChallenge = codeChallenge
    }
}
