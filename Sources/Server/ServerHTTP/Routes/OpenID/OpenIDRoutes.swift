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
    let sites: ConfiguredServices

    /// Adds the routes; none where no provider is configured.
    func add(to routes: RouteBuilder) {
        guard let openID = sites.openID else { return }
        addDocuments(openID.discoveryDocument, openID.keys, to: routes)
        addAuthorization(openID.authorization, to: routes)
        addTokens(openID, to: routes)
        addBearers(openID.bearers, to: routes)
        addLogout(openID.logout, to: routes)
        guard let deviceSessions = openID.deviceSessions(log: shared.services.log) else { return }
        DeviceSessionRoutes(shared: shared, sessions: deviceSessions, answers: browserAnswers).add(to: routes)
    }

    /// Pages of public clients, which read what their clients may.
    private var pages: CrossOriginRule? { sites.clients.map { CrossOriginRule(clients: $0) } }

    private func addDocuments(_ discovery: [UInt8], _ keys: ProviderKeys, to routes: RouteBuilder) {
        routes.add(.openIDConfiguration, readableBy: pages) { exchange in
            exchange.answer(
                bytes: discovery, headers: [.cacheControl: "public, max-age=300"])
        }
        routes.add(.openIDKeySet, readableBy: pages) { exchange in
            exchange.answer(
                bytes: try await keys.keySetDocument, headers: [.cacheControl: "public, max-age=60"])
        }
    }

    // MARK: - Browsers

    /// Octets of a query that a form is turned into; a longer form is answered where it stands.
    private static let queryLimit = 8_192

    private func addAuthorization(_ endpoint: AuthorizationEndpoint, to routes: RouteBuilder) {
        let (shared, answers) = (shared, browserAnswers)
        let authorize: @Sendable (Exchange, OpenIDFields?) async throws -> Response = { exchange, fields in
            let reader = PageReader(
                of: exchange, preferring: fields?["ui_locales"], client: shared.client(of: exchange))
            return try await Self.answering(exchange, reader, answers) { () async throws(OpenIDRefusal) in
                guard let fields else { throw OpenIDRefusal(.invalidRequest) }
                return try await endpoint.authorize(
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

    private func addLogout(_ logout: ProviderLogout, to routes: RouteBuilder) {
        let (shared, answers) = (shared, browserAnswers)
        let logOut: @Sendable (Exchange, OpenIDFields?) async throws -> Response = { exchange, fields in
            let reader = PageReader(
                of: exchange, preferring: fields?["ui_locales"], client: shared.client(of: exchange))
            return try await Self.answering(exchange, reader, answers) { () async throws(OpenIDRefusal) in
                guard let fields else { throw OpenIDRefusal(.invalidRequest) }
                return try await logout.logOut(
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

    private func addTokens(_ openID: OpenIDServices, to routes: RouteBuilder) {
        let (shared, clients) = (shared, openID.authentication)
        let (pushed, tokens, bearers) = (openID.pushed, openID.tokens, openID.bearers)
        routes.add(.pushAuthorization) { exchange in
            try await Self.answering(exchange, shared, clients, status: .created) {
                request, client async throws(OpenIDRefusal) in
                if client.authentication == RegisteredClient.Authentication.none,
                    let wait = shared.waitWithoutSecret(exchange)
                {
                    throw OpenIDRefusal(.temporarilyUnavailable, retryAfter: wait)
                }
                return try await pushed.push(request, of: client)
            }
        }
        routes.add(.clientToken, readableBy: pages) { exchange in
            try await Self.answering(exchange, shared, clients) { request, client async throws(OpenIDRefusal) in
                try await tokens.answer(request, of: client)
            }
        }
        routes.add(.introspectToken) { exchange in
            try await Self.answering(exchange, shared, clients) { request, client async throws(OpenIDRefusal) in
                try await bearers.introspect(request.fields, by: client)
            }
        }
        routes.add(.revokeToken, readableBy: pages) { exchange in
            try await Self.answering(exchange, shared, clients) { request, client async throws(OpenIDRefusal) in
                try await bearers.revoke(request.fields, by: client, request.client)
                return []
            }
        }
    }

    private func addBearers(_ bearers: TokenIntrospection, to routes: RouteBuilder) {
        let shared = shared
        let inform: @Sendable (Exchange) async throws -> Response = { exchange in
            let token = PresentedAccessToken(of: exchange, at: shared.address(of: exchange))
            do throws(OpenIDRefusal) {
                return exchange.answer(bytes: try await bearers.userInformation(token))
            } catch {
                return Self.response(error, to: exchange, scheme: token.scheme.rawValue)
            }
        }
        routes.add(.userInformation, readableBy: pages) { exchange in try await inform(exchange) }
        routes.add(.userInformationByPost, readableBy: pages) { exchange in try await inform(exchange) }
    }

    /// Answers a client that has proved itself.
    static func answering(
        _ exchange: Exchange, _ shared: RouteServices, _ clients: ClientAuthentication,
        status: HTTPResponse.Status = .ok,
        _ body: (ClientRequest, RegisteredClient) async throws(OpenIDRefusal) -> [UInt8]
    ) async throws -> Response {
        do throws(OpenIDRefusal) {
            guard let fields = exchange.form else { throw OpenIDRefusal(.invalidRequest) }
            let request = ClientRequest(
                fields: fields, authorization: exchange.request.headers[.authorization].map { Sensitive($0) },
                address: shared.address(of: exchange), client: shared.client(of: exchange),
                proofs: exchange.keyProofs)
            let client = try await clients.authenticate(request)
            let bytes = try await serving(client) { () async throws(OpenIDRefusal) in try await body(request, client) }
            return exchange.answer(bytes: bytes, status: status)
        } catch {
            return response(error, to: exchange, scheme: "Basic")
        }
    }

    /// Refusal as JSON; 401 names the way to prove oneself (RFC 6749, 5.2; RFC 6750, 3; RFC 9449, 7.1).
    static func response(_ refusal: OpenIDRefusal, to exchange: Exchange, scheme: String) -> Response {
        exchange.context.requestLog.clientRefusal = refusal
        var headers = HTTPFields()
        headers[.contentType] = BackendAPI.MediaType.json.fieldValue
        headers[.retryAfter] = refusal.retryAfter.map(String.init)
        let isBearer = PresentedAccessToken.Scheme(rawValue: scheme) != nil
        let status = isBearer && refusal.code == .invalidDPoPProof ? 401 : refusal.status
        if status == 401 || (status == 403 && isBearer) {
            let reason = isBearer ? ", error=\"\(refusal.code.rawValue)\"" : ""
            let algorithms = scheme == PresentedAccessToken.Scheme.proof.rawValue ? ", algs=\"ES256 RS256\"" : ""
            headers[.wwwAuthenticate] = "\(scheme) realm=\"signet\"\(reason)\(algorithms)"
        }
        let body = JSONWriter.write(
            .object([
                "error": .string(refusal.code.rawValue), "error_description": refusal.description.map { .string($0) },
            ]))
        return Response(
            status: HTTPResponse.Status(code: status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension PresentedAccessToken {
    fileprivate init(of exchange: Exchange, at address: String) {
        let credentials = PresentedCredentials(of: exchange.request, cookieName: "")
        let proof = PresentedKeyProof(
            exchange.keyProofs, method: exchange.request.method.rawValue, address: address)
        if let token = credentials.boundToken {
            self.init(token.reveal(), as: .proof, with: proof)
        } else {
            self.init(credentials.bearerToken?.reveal(), with: proof)
        }
    }
}

extension Exchange {
    /// Fields `DPoP` of the request (RFC 9449, 4.1).
    fileprivate var keyProofs: [String] { HTTPField.Name("DPoP").map { request.headers[values: $0] } ?? [] }
}
