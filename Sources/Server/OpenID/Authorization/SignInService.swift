package import ServerCore

/// Sign-ins that are under way, as the page sees them.
package protocol SignInService: Sendable {
    /// The session of this browser; nil when there is none, it is another browser's, or it is over.
    func session(
        _ id: AuthorizationSessionID, browser: BrowserCookies
    ) async throws(ServerError) -> OpenSignIn?

    func state(
        of session: OpenSignIn, unlike known: ConfirmationState?, atMost wait: Duration
    ) async throws(ServerError) -> ConfirmationState

    /// Ends a session whose ceremony is confirmed: begins the session of the browser and makes the code, once.
    ///
    /// Before it is confirmed, and after it has ended, it throws ``ServerError/forbidden``.
    func finish(
        _ session: OpenSignIn, client: ClientContext
    ) async throws(ServerError) -> AuthorizationAnswer

    /// Ends a session by the wish of the user: the client is told `access_denied`.
    func cancel(
        _ session: OpenSignIn, client: ClientContext
    ) async throws(ServerError) -> AuthorizationAnswer
}

/// Begin of ceremonies for sign-ins that are under way.
package protocol SignInStarting: Sendable {
    /// Begins a ceremony for the session: a QR code, or a push for a user by name.
    ///
    /// A code that no phone has taken is renewed under its name: a phone may still take the code before, until that one's
    /// end or until the code after is begun. While a phone shows the request of a code, there is no other one:
    /// ``ServerError/tooManyOperations(retryAfter:)``.
    ///
    /// A user who does not exist, is locked or has no phone gets the same answer as one who has: a push that no phone
    /// answers. Throws as ``ConfirmationService/begin(_:client:)``.
    func begin(
        _ channel: SignInChannel, in session: OpenSignIn, client: ClientContext
    ) async throws(ServerError) -> BegunConfirmation
}

/// Way to the phone that a person has chosen on the page.
package enum SignInChannel: Sendable, Hashable {
    /// A QR code: the first, or the next one once a code has been there for `code-rotation` or has ended.
    case code
    /// 1 to 128 characters, as typed.
    case push(username: String)
}

/// Session of a sign-in with the client that it is for.
package struct OpenSignIn: Sendable, Hashable {
    package let session: AuthorizationSession
    package let client: RegisteredClient
    /// Cookie of the session at the provider that the browser has already; the one that begins takes its place.
    package let replacing: ProviderCookieHash?

    package init(session: AuthorizationSession, client: RegisteredClient, replacing: ProviderCookieHash? = nil) {
        self.session = session
        self.client = client
        self.replacing = replacing
    }
}
