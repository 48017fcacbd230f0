import BackendAPI
import NIOHTTP1

/// Sign-in page of one browser, from the request that opens it to the address at its end.
///
/// Every browser has a cookie and an address of its own, as the server may be asked for 200 pages from one address.
struct BrowserVisit {
    private static let cookieName = "__Host-signet-browser"
    private static let pictureStart: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

    private let connection: PhoneConnection
    private let session: String
    private let cookie: HTTPHeaders

    /// Asks for a code over a connection, in a browser without a session; throws unless it gets a sign-in page.
    init(_ request: WebSite.CodeRequest, over connection: PhoneConnection) async throws {
        self.connection = connection
        let answer = try await connection.get(.authorize, request.path, status: .seeOther)
        let place = try answer.location()
        guard place.hasPrefix(Endpoint.signInPage.path(naming: "")), let name = place.split(separator: "/").last else {
            throw answer.failure("sign-in page")
        }
        session = String(name)
        cookie = ["Cookie": try answer.cookie(Self.cookieName)]
    }

    // MARK: - Page

    /// Parts of the page that its script takes.
    struct Page {
        /// Token of its forms.
        let formToken: String
        /// Path of the picture of the QR code.
        let picture: String
    }

    /// Loads the page and the picture of its code; throws unless it waits for a phone.
    func show() async throws -> Page {
        let answer = try await connection.get(.signInPage, Endpoint.signInPage.path(naming: session), cookie)
        guard try answer.value(after: "data-state=\"") == "waiting" else { throw answer.failure("page that waits") }
        let page = Page(
            formToken: try answer.value(after: "name=\"form_token\" value=\""),
            picture: try answer.value(after: "id=\"code\" src=\""))
        let picture = try await connection.get(.signInCode, page.picture, cookie)
        guard picture.body.starts(with: Self.pictureStart) else { throw picture.failure("picture") }
        return page
    }

    /// Asks for the status, which is answered at once, as no state is named; throws for another one than `state`.
    @discardableResult
    func status(_ state: String) async throws -> WebAnswer {
        let answer = try await connection.get(.signInStatus, Endpoint.signInStatus.path(naming: session), cookie)
        guard try answer.text("state") == state else { throw answer.failure("state \(state)") }
        return answer
    }

    /// Link for the phone.
    func link() async throws -> String {
        try await status("waiting").text("link")
    }

    /// Goes on after the confirmation, as the script of the page does; the address of the site.
    func finish(_ page: Page, at origin: String) async throws -> String {
        var fields = cookie
        fields.add(name: "Origin", value: origin)
        let form: WebForm = ["action": "finish", "form_token": page.formToken]
        return try await connection.post(
            form, to: .signInAction, at: Endpoint.signInAction.path(naming: session), fields, status: .seeOther
        ).location()
    }
}
