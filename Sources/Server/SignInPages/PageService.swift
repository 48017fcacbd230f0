package import OpenIDProvider
package import ServerCore

/// Pages for people as their routes see them; HTML in the language of the reader, without anything from elsewhere.
///
/// A page is at most 64 KiB. `Content-Security-Policy` is ``PageAnswer/policy``. Posts carry the hidden field `form_token`, an
/// HMAC of the session and the cookie of the browser, beside the rule about `Origin`.
package protocol PageService: Sendable {
    /// Sign-in, consent or payment page of a session in its state; it works without JavaScript by a refresh after 5 s.
    func signInPage(
        _ entry: OpenSignIn, begun: BegunConfirmation?, state: ConfirmationState, reader: PageReader
    ) async throws(ServerError) -> PageAnswer

    /// Page of the devices and history of the user who is signed in at the provider.
    func devicesPage(of user: User, reader: PageReader) async throws(ServerError) -> PageAnswer

    /// Renames or removes a device of the user, then shows the page; both after a fresh confirmation for a removal.
    func changeDevices(
        _ change: PageDeviceChange, of session: ProviderSession, client: ClientContext, reader: PageReader
    ) async throws(ServerError) -> PageAnswer

    /// Page that says what is wrong, without a way back to an address that nobody has registered.
    func refusalPage(_ refusal: PageRefusal, reader: PageReader) -> PageAnswer

    /// Page that asks for the logout, or says that it is done.
    func logoutPage(_ page: AuthorizationAnswerPage, reader: PageReader) -> PageAnswer
}

/// Language and browser of a reader.
package struct PageReader: Sendable, Hashable {
    /// `Accept-Language`, at most 256 octets are read.
    package let acceptLanguage: String?
    /// `ui_locales` or the choice in the query; wins.
    package let language: PageLanguage?
    /// Cookies of the browser, for the token of forms.
    package let cookies: BrowserCookies

    /// Describes a reader.
    package init(acceptLanguage: String?, language: PageLanguage?, cookies: BrowserCookies) {
        self.acceptLanguage = acceptLanguage
        self.language = language
        self.cookies = cookies
    }
}

/// Language of the pages (BCP 47).
package enum PageLanguage: String, Sendable, Hashable, CaseIterable {
    case german = "de"
    case english = "en"
    case french = "fr"
    case italian = "it"
}

/// Page as it is sent.
package struct PageAnswer: Sendable {
    /// Policy of every page: own style, script and pictures, forms to itself, no frame.
    package static let policy = """
        default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
        base-uri 'none'; frame-ancestors 'none'
        """

    package let status: Int
    /// UTF-8.
    package let html: [UInt8]
    package let language: PageLanguage

    /// Describes a page.
    package init(status: Int = 200, html: [UInt8], language: PageLanguage) {
        self.status = status
        self.html = html
        self.language = language
    }
}

/// Change that users make to their own devices.
package enum PageDeviceChange: Sendable, Hashable {
    /// Name of 1 to 64 characters.
    case rename(TargetExternalID, String)
    case remove(TargetExternalID)
}

/// Reason of a page that leads nowhere.
package enum PageRefusal: String, Sendable, Hashable, CaseIterable {
    case unknownClient, redirectNotRegistered, malformedRequest, otherBrowser, expired, tooMany, unavailable
}
