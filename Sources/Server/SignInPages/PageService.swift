package import OpenID
package import ServerCore

/// Pages for people as their routes see them; HTML in the language of the reader, without anything from elsewhere.
///
/// A page is at most 64 KiB. `Content-Security-Policy` is ``PageAnswer/policy``. Posts carry the hidden field `form_token`, an
/// HMAC of the session and the cookie of the browser, beside the rule about `Origin`.
package protocol PageService: Sendable {
    /// Look and words that the operator has chosen.
    var theme: PageTheme { get }

    /// Sign-in, consent or payment page of a session in its state; it works without JavaScript by a refresh after 5 s.
    ///
    /// `refusal` says why a passkey has not let in.
    func signInPage(
        _ entry: OpenSignIn, begun: BegunConfirmation?, state: ConfirmationState, refusal: PasskeySignInRefusal?,
        reader: PageReader
    ) async throws(ServerError) -> PageAnswer

    /// Page that asks for the user name to which a push goes; it is never refreshed, so that what is typed stays.
    func usernamePage(_ entry: OpenSignIn, reader: PageReader) -> PageAnswer

    func devicesPage(of user: User, reader: PageReader) async throws(ServerError) -> PageAnswer

    /// Changes a device or a passkey of the user, makes recovery codes or ends a recovery, then shows the page; all but a new
    /// name and the end of a recovery after a fresh confirmation.
    func changeDevices(
        _ change: PageDeviceChange, of session: BrowserSession, client: ClientContext, reader: PageReader
    ) async throws(ServerError) -> PageAnswer

    /// Everything that is kept of the user of a session, after a fresh confirmation; as a page, which may be larger than others,
    /// or as a file.
    func personalData(
        of session: BrowserSession, reader: PageReader, isFile: Bool
    ) async throws(ServerError) -> PersonAnswer

    /// User and session of the browser at the provider; nil without a session, and for one that does not hold any more.
    func visitor(_ cookies: BrowserCookies) async throws(ServerError) -> PageVisitor?

    /// Path that signs a user in to the page of the devices; `isFresh` asks the phone in any case.
    func devicesSignIn(isFresh: Bool) -> String

    /// Page at the address of the service; `hasDevices` says whether users may have a page of their devices.
    func frontPage(hasDevices: Bool, reader: PageReader) -> PageAnswer

    /// Passkeys of users; nil where there are none.
    var passkeys: (any PasskeyService)? { get }

    /// Whether people have a way back without a phone.
    var hasRecovery: Bool { get }

    /// Page of the recovery whose cookie the reader has; it asks for name and code where there is none.
    func recoverPage(reader: PageReader) async throws(ServerError) -> PageAnswer

    /// Takes a step of a recovery; it is no sign-in.
    func recover(_ step: PageRecoveryStep, reader: PageReader) async throws(ServerError) -> RecoveryAnswer

    /// Page that says what is wrong, without a way back to an unregistered address.
    func refusalPage(_ refusal: PageRefusal, reader: PageReader) -> PageAnswer

    /// Page whose form posts an answer to a client, by itself or, without JavaScript, by a button.
    func answerPage(_ form: AnswerForm, reader: PageReader) -> PageAnswer

    /// Page that asks for the logout, or says that it is done.
    func logoutPage(_ page: AuthorizationAnswerPage, reader: PageReader) -> PageAnswer
}

extension PageService {
    package var theme: PageTheme { PageTheme() }
}
