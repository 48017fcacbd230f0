import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages
import StrictJSON
import UAFService

/// Routes of the OpenID Provider.
struct OpenIDRoutes {
    let shared: RouteServices
    let sites: WebSiteServices

    init(shared: RouteServices, sites: WebSiteServices) {
        self.shared = shared
        self.sites = sites
    }

    /// Adds the routes; none where no provider is configured.
    func add(to routes: RouteBuilder) {
        guard let provider = sites.provider else { return }
        addDocuments(provider, to: routes)
        addAuthorization(provider, to: routes)
        addTokens(provider, to: routes)
        addBearers(provider, to: routes)
        addLogout(provider, to: routes)
    }

    /// Pages of public clients, which read what their clients may.
    private var pages: CrossOriginRule? { sites.clients.map { CrossOriginRule(clients: $0) } }

    private func addDocuments(_ provider: any OpenIDService, to routes: RouteBuilder) {
        routes.add(.openIDConfiguration, readableBy: pages) { exchange in
            exchange.answer(
                bytes: provider.discoveryDocument, headers: [.cacheControl: "public, max-age=300"])
        }
        routes.add(.openIDKeySet, readableBy: pages) { exchange in
            exchange.answer(
                bytes: try await provider.keySetDocument, headers: [.cacheControl: "public, max-age=60"])
        }
    }

    // MARK: - Browsers

    /// Octets of a query that a form is turned into; a longer form is answered where it stands.
    private static let queryLimit = 8_192

    private func addAuthorization(_ provider: any OpenIDService, to routes: RouteBuilder) {
        let (shared, answers) = (shared, browserAnswers)
        let authorize: @Sendable (Exchange, OpenIDFields?) async throws -> Response = { exchange, fields in
            let reader = PageReader(
                of: exchange, preferring: fields?["ui_locales"], client: shared.client(of: exchange))
            return try await Self.answering(exchange, reader, answers) { () async throws(OpenIDRefusal) in
                guard let fields else { throw OpenIDRefusal(.invalidRequest) }
                return try await provider.authorize(
                    fields, browser: BrowserCookies(onPageOf: exchange.request), client: shared.client(of: exchange))
            }
        }
        routes.add(.authorize) { exchange in try await authorize(exchange, exchange.query()) }
        routes.add(.authorizeByForm) { exchange in
            // A form of another site comes without the cookies of the browser (SameSite=Lax), which a new one would replace;
            // the GET after it brings them.
            if BrowserCookies(onPageOf: exchange.request).browser == nil, let query = exchange.form?.query,
                query.utf8.count <= Self.queryLimit
            {
                return BrowserAnswers.redirect(to: Endpoint.authorize.path + "?" + query)
            }
            return try await authorize(exchange, exchange.form)
        }
    }

    private func addLogout(_ provider: any OpenIDService, to routes: RouteBuilder) {
        let (shared, answers) = (shared, browserAnswers)
        let logOut: @Sendable (Exchange, OpenIDFields?) async throws -> Response = { exchange, fields in
            let reader = PageReader(
                of: exchange, preferring: fields?["ui_locales"], client: shared.client(of: exchange))
            return try await Self.answering(exchange, reader, answers) { () async throws(OpenIDRefusal) in
                guard let fields else { throw OpenIDRefusal(.invalidRequest) }
                return try await provider.logOut(
                    fields, browser: BrowserCookies(onPageOf: exchange.request), client: shared.client(of: exchange))
            }
        }
        // A link on any page can be followed with the cookie: only a form of our own says that a person has agreed.
        routes.add(.providerLogout) { exchange in try await logOut(exchange, exchange.query(without: ["action"])) }
        routes.add(.providerLogoutByForm) { exchange in
            let fields = exchange.form
            if fields?["action"] != nil { try shared.authenticator.origins.requireOwn(exchange.request) }
            return try await logOut(exchange, fields)
        }
    }

    private var browserAnswers: BrowserAnswers { BrowserAnswers(pages: sites.pages, clock: shared.clock) }

    private static func answering(
        _ exchange: Exchange, _ reader: PageReader, _ answers: BrowserAnswers,
        _ body: () async throws(OpenIDRefusal) -> AuthorizationAnswer
    ) async throws -> Response {
        let answer: AuthorizationAnswer
        do throws(OpenIDRefusal) {
            answer = try await body()
        } catch {
            exchange.context.requestLog.clientRefusal = error
            return try answers.response(error, reader)
        }
        exchange.context.requestLog.clientRefusal = answer.refusal
        return try answers.response(answer, reader)
    }

    // MARK: - Clients

    private func addTokens(_ provider: any OpenIDService, to routes: RouteBuilder) {
        let shared = shared
        routes.add(.pushAuthorization) { exchange in
            try await Self.answering(exchange, shared, status: .created) { request async throws(OpenIDRefusal) in
                try await provider.push(request)
            }
        }
        routes.add(.clientToken, readableBy: pages) { exchange in
            try await Self.answering(exchange, shared) { request async throws(OpenIDRefusal) in
                try await provider.token(request)
            }
        }
        routes.add(.introspectToken) { exchange in
            try await Self.answering(exchange, shared) { request async throws(OpenIDRefusal) in
                try await provider.introspect(request)
            }
        }
        routes.add(.revokeToken, readableBy: pages) { exchange in
            try await Self.answering(exchange, shared) { request async throws(OpenIDRefusal) in
                try await provider.revoke(request)
                return []
            }
        }
    }

    private func addBearers(_ provider: any OpenIDService, to routes: RouteBuilder) {
        let authenticator = shared.authenticator
        let inform: @Sendable (Exchange) async throws -> Response = { exchange in
            let token = authenticator.credentials(of: exchange).bearerToken
            do throws(OpenIDRefusal) {
                return exchange.answer(bytes: try await provider.userInformation(accessToken: token?.reveal()))
            } catch {
                return Self.response(error, to: exchange, scheme: "Bearer")
            }
        }
        routes.add(.userInformation, readableBy: pages) { exchange in try await inform(exchange) }
        routes.add(.userInformationByPost, readableBy: pages) { exchange in try await inform(exchange) }
    }

    static func answering(
        _ exchange: Exchange, _ shared: RouteServices, status: HTTPResponse.Status = .ok,
        _ body: (ClientRequest) async throws(OpenIDRefusal) -> [UInt8]
    ) async throws -> Response {
        do throws(OpenIDRefusal) {
            guard let fields = exchange.form else { throw OpenIDRefusal(.invalidRequest) }
            let request = ClientRequest(
                fields: fields, authorization: exchange.request.headers[.authorization].map { Sensitive($0) },
                address: shared.services.settings.outOfBand.origin + exchange.endpoint.path,
                client: shared.client(of: exchange))
            return exchange.answer(bytes: try await body(request), status: status)
        } catch {
            return response(error, to: exchange, scheme: "Basic")
        }
    }

    /// Refusal as JSON; 401 names the way to prove oneself (RFC 6749, 5.2; RFC 6750, 3).
    static func response(_ refusal: OpenIDRefusal, to exchange: Exchange, scheme: String) -> Response {
        exchange.context.requestLog.clientRefusal = refusal
        var headers = HTTPFields()
        headers[.contentType] = BackendAPI.MediaType.json.fieldValue
        headers[.retryAfter] = refusal.retryAfter.map(String.init)
        if refusal.status == 401 || (refusal.status == 403 && scheme == "Bearer") {
            let reason = scheme == "Bearer" ? ", error=\"\(refusal.code.rawValue)\"" : ""
            headers[.wwwAuthenticate] = "\(scheme) realm=\"signet\"\(reason)"
        }
        let body = JSONWriter.write(
            .object([
                "error": .string(refusal.code.rawValue), "error_description": refusal.description.map { .string($0) },
            ]))
        return Response(
            status: HTTPResponse.Status(code: refusal.status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}
