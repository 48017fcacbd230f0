import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages

/// Fields that pages read of a request, and their answers.
struct PageExchanges: Sendable {
    let shared: RouteServices
    let pages: any PageService

    /// Reader of a page; the language may be chosen in the query (`lang`).
    func reader(of exchange: Exchange, preferring language: String? = nil) throws(RequestRefusal) -> PageReader {
        let chosen = try query(of: exchange)["lang"] ?? language
        return PageReader(of: exchange, preferring: chosen, client: shared.client(of: exchange))
    }

    func query(of exchange: Exchange) throws(RequestRefusal) -> OpenIDFields {
        guard let fields = exchange.query() else { throw .malformed }
        return fields
    }

    /// Fields of a form that a page of this server has sent for this session.
    ///
    /// Throws ``RequestRefusal/foreignOrigin`` for a page of another site and ``RequestRefusal/forbidden`` without the
    /// token of the session.
    func form(
        of exchange: Exchange, session: String, cookie: Sensitive<String>?
    ) throws(RequestRefusal) -> OpenIDFields {
        try shared.authenticator.origins.requireOwn(exchange.request)
        guard let fields = exchange.form else { throw .malformed }
        guard let token = FormToken(cookie: cookie, session: session), token.isCarried(by: fields["form_token"]) else {
            throw .forbidden
        }
        return fields
    }

    // MARK: - Answers

    func answer(_ page: PageAnswer, to exchange: Exchange) -> Response {
        exchange.answer(
            bytes: page.html, status: .init(code: page.status), headers: PageHeaders.fields(of: page))
    }

    /// JSON for the script of a page, or as a file that has `name`; never as the page for which the browser may have asked.
    func answer(json: [UInt8], file name: String? = nil) -> Response {
        var headers: HTTPFields = [.contentType: BackendAPI.MediaType.json.fieldValue, .cacheControl: "no-store"]
        headers[.contentDisposition] = name.map { "attachment; filename=\"\($0)\"" }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }

    func refusal(_ refusal: PageRefusal, to exchange: Exchange) throws(RequestRefusal) -> Response {
        answer(pages.refusalPage(refusal, reader: try reader(of: exchange)), to: exchange)
    }

    func answer(_ answer: AuthorizationAnswer, to exchange: Exchange) throws -> Response {
        exchange.context.requestLog.clientRefusal = answer.refusal
        return try BrowserAnswers(pages: pages, clock: shared.clock).response(answer, try reader(of: exchange))
    }
}

extension PageReader {
    /// Reader of a page in answer to a request; `languages` are tags with blanks between, the best one first.
    init(of exchange: Exchange, preferring languages: String?, client: ClientContext) {
        let tags = (languages ?? "").split(separator: " ")
        let known = tags.compactMap { tag in PageLanguage(rawValue: tag.prefix { $0 != "-" }.lowercased()) }
        self.init(
            acceptLanguage: exchange.request.headers[.acceptLanguage], language: known.first,
            cookies: BrowserCookies(onPageOf: exchange.request), client: client)
    }
}

extension BrowserCookies {
    /// Cookies of a request; one that stands twice is ignored, as the right one is unknown.
    init(onPageOf request: Request) {
        self.init(
            browser: Self.only(Self.browserName, in: request), provider: Self.only(Self.providerName, in: request),
            recovery: Self.only(Self.recoveryName, in: request), bound: Self.only(Self.boundName, in: request))
    }

    private static func only(_ name: String, in request: Request) -> Sensitive<String>? {
        let pairs = request.headers[values: .cookie].flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }
        let named = pairs.filter { pair in
            pair.drop { $0 == UInt8(ascii: " ") }.starts(with: "\(name)=".utf8)
        }
        return named.count == 1 ? PresentedCredentials.cookie(name, of: request) : nil
    }
}
