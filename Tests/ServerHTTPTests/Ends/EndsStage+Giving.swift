import BackendAPI
import Crypto
import HTTPTypes
import HummingbirdTesting
import JOSE
import NIOCore
import Octets
import OpenID
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

/// Something that was given out, as its holder has it.
struct HeldRight: Sendable {
    let kind: GivenOut
    let user: User
    let phone: SyntheticAuthenticator
    /// Dispatch target of the phone.
    let target: String
    var text = ""
    /// Cookie of the browser at the provider.
    var provider: String?
    /// What the answer was when it was given first.
    var first = ""
    /// Passkey of a user without a phone.
    var passkey: SignInMethod?
    /// Form with the answer of a passkey that is not sent yet.
    var form: HeldForm?
}

/// Issuer whose tokens the server trusts.
struct ForeignIssuer: Sendable {
    private static let name = "https://idp.example.com"
    private let key = P256.Signing.PrivateKey()

    var trusted: TrustedIssuer {
        get throws {
            let point = Array(key.publicKey.rawRepresentation)
            let jwk = try JWK(
                verifying: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))), keyID: "external")
            return TrustedIssuer(issuer: Self.name, keySet: try JWKS([jwk]).json)
        }
    }

    func token(for user: User, audience: String, at now: Timestamp) throws -> String {
        let claims = try JWTClaims([
            "iss": .string(Self.name), "aud": .string(audience), "sub": .string(user.externalID.text),
            "iat": .integer(now.seconds), "auth_time": .integer(now.seconds), "exp": .integer(now.seconds + 600),
        ])
        let unsigned = UnsignedJWS(
            header: JOSEHeader(algorithm: .es256, keyID: "external"), payload: claims.payload)
        return unsigned.signed(with: Array(try key.signature(for: unsigned.signingInput).rawRepresentation))
    }
}

extension EndsStage {
    /// Gives one thing of a kind to a new user with a phone.
    func give(_ kind: GivenOut) async throws -> HeldRight {
        if [.passkeyChallenge, .passkeyOffer, .passkeyCookie].contains(kind) { return try await givePasskey(kind) }
        var right = try await enrol(kind.rawValue, for: kind)
        // A foreign token tells whole seconds.
        site.server.clock.advance(by: .seconds(2))
        let name = right.user.name
        switch kind {
        case .sessionCookie: right.text = try #require(try await signIn(right).cookie?.value)
        case .passwordCookie:
            let passwords = try #require(services.passwordLogin)
            right.text = try await passwords.logIn(
                name: name.text, password: Self.password, client: ClientContext()
            ).cookie.value
        case .backendToken: right.text = try await token(right)
        case .foreignToken:
            right.text = try Self.issuer.token(
                for: right.user, audience: "https://server.example", at: site.server.clock.now())
        case .registrationChallenge:
            let login = try await services.authorization.authorization(
                bearerToken: try await token(right), sessionCookie: nil)
            let request = try await registration(right.user, login)
            right.text = String(decoding: try client.answer(request, with: [SyntheticAuthenticator()]), as: UTF8.self)
        case .authenticationChallenge: right.text = try await answer(right)
        case .userOperation:
            let initiator = try await services.authorization.initiator(
                bearerToken: try await token(right), sessionCookie: nil)
            right.text = try await dispatch(.registration, right.user, by: initiator).token ?? ""
        case .invitation: right.text = try await dispatch(.registration, right.user).token ?? ""
        case .portalOperation: right.text = try await dispatch(.authentication, right.user).token ?? ""
        case .operationStatus, .resultToken: try await giveResult(to: &right)
        case .statusToken, .intentToken, .keptAnswer: try await giveThroughAPI(to: &right)
        case .providerCookie, .code, .accessToken, .refreshToken, .idToken: try await giveInBrowser(to: &right)
        case .confirmedPage:
            let (entry, browser) = try await confirmedPage(right)
            (right.text, right.provider) = (entry.session.id.text, browser)
        case .pushedRequest: try await push(to: &right)
        case .backchannelRequest: try await confirmBackchannel(to: &right)
        case .recoveryCookie: try await recover(&right)
        case .passkeyChallenge, .passkeyOffer, .passkeyCookie: break
        }
        return right
    }

    // MARK: - Users

    /// A new user with a phone that holds a key and takes pushes.
    func enrol(_ name: String, for kind: GivenOut = .code) async throws -> HeldRight {
        let user = try await services.users.add(name: name, externalID: "ext-" + name, password: Self.password)
        let (phone, device) = (try SyntheticAuthenticator(), try SyntheticDevice("org.signet.demo#" + name))
        try await register(phone, for: user)
        let creation = try device.creation(of: device.target(), at: "https://server.example")
        let target = try await services.targets.create(
            creation, authorization: try await login(user), client: ClientContext()
        ).id
        let id = try #require(DispatchTargetID(text: target))
        _ = try await site.server.database.transaction { connection throws(ServerPersistenceError) in
            try connection.execute(
                "UPDATE credentials SET dispatch_target_id = $1 WHERE user_id = $2",
                [.blob(id.octets), .blob(user.id.octets)])
        }
        return HeldRight(kind: kind, user: user, phone: phone, target: target)
    }

    /// Registers a key by the right of the server: an operation of a portal.
    func register(_ phone: SyntheticAuthenticator, for user: User) async throws {
        let begun = try await dispatch(.registration, user)
        let issued = try await services.redemption.redeem(
            RedeemRequest(token: try #require(begun.token)), for: .registration, client: ClientContext())
        try await register(phone, issued)
    }

    private func register(_ phone: SyntheticAuthenticator, _ issued: ReturnUAFRequest) async throws {
        guard case .registration(let request) = try TestServer.request(issued) else { throw TestServer.Failure.setUp }
        let message = try client.answer(request, with: [phone])
        let answer = try await services.registrationResponses.acceptResponse(
            SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)), client: ClientContext())
        try #require(answer.message.statusCode == .ok)
    }

    /// Login of a user by all keys, that holds.
    func login(_ user: User) async throws -> RequestAuthorization {
        let keys = try await services.storage.credentials.credentials(of: user.id)
        let evidence = RequestAuthorization.Evidence(
            authenticatedAt: site.server.clock.now() + .seconds(5), registrations: keys.map(\.registrationID))
        return .granted(RequestAuthorization.Login(user: user, methods: [.fidoUAF], evidence: evidence))
    }

    private var client: SyntheticClient {
        get throws { SyntheticClient(facet: try #require(FacetID(ServerFixture.facet))) }
    }

    private func registration(
        _ user: User, _ authorization: RequestAuthorization
    ) async throws -> RegistrationRequest {
        let answer = try await services.registrationRequests.issueRequest(
            GetUAFRequest(RegistrationContext(username: user.name)), authorization: authorization,
            client: ClientContext())
        guard case .registration(let request) = try TestServer.request(answer) else { throw TestServer.Failure.setUp }
        return request
    }

    // MARK: - Sign-ins by FIDO UAF

    /// Answer of the phone to a new challenge for its user.
    private func answer(_ right: HeldRight) async throws -> String {
        let issued = try await services.authenticationRequests.issueRequest(
            GetUAFRequest(AuthenticationContext(username: right.user.name)), entry: .service, authorization: .absent,
            client: ClientContext())
        return try answer(issued.message, right)
    }

    private func answer(_ issued: ReturnUAFRequest, _ right: HeldRight) throws -> String {
        guard case .authentication(let request) = try TestServer.request(issued) else {
            throw TestServer.Failure.setUp
        }
        return String(decoding: try client.answer(request, with: [right.phone]), as: UTF8.self)
    }

    private func signIn(_ right: HeldRight) async throws -> AcceptedAnswer {
        try await accept(try await answer(right))
    }

    private func accept(_ response: String) async throws -> AcceptedAnswer {
        let answer = try await services.authenticationResponses.acceptResponse(
            SendUAFResponse(uafResponse: response), client: ClientContext())
        try #require(answer.message.statusCode == .ok)
        return answer
    }

    private func token(_ right: HeldRight) async throws -> String {
        try #require(try await signIn(right).message.token(.jwt))
    }

    // MARK: - Operations

    private func dispatch(
        _ operation: OperationKind, _ user: User, by initiator: InitiatorAuthorization? = nil
    ) async throws -> DispatchAnswer {
        let name = user.name
        let asked =
            operation == .registration
            ? GetUAFRequest(RegistrationContext(username: name)) : GetUAFRequest(AuthenticationContext(username: name))
        return try await services.outOfBand.dispatch(
            DispatchRequest(asked, dispatcher: .link), for: operation,
            authorization: try initiator ?? TestServer.portal,
            client: ClientContext())
    }

    /// Answers an operation as the phone does.
    private func confirm(_ token: String, _ right: HeldRight) async throws {
        let issued = try await services.redemption.redeem(
            RedeemRequest(token: token), for: .authentication, client: ClientContext())
        _ = try await accept(try answer(issued, right))
    }

    private func giveResult(to right: inout HeldRight) async throws {
        let begun = try await dispatch(.authentication, right.user)
        try await confirm(try #require(begun.token), right)
        let id = try #require(begun.sessionID)
        let status = try await services.status.status(
            StatusRequest(sessionID: id), authorization: try TestServer.portal)
        right.text = right.kind == .resultToken ? status.result ?? "" : id
    }

    private func giveThroughAPI(to right: inout HeldRight) async throws {
        let (site, holder) = (site, right)
        let given = try await overSocket { client -> String? in
            let use = RightUse(client: client, site: site, right: holder)
            return switch holder.kind {
            case .keptAnswer: try await use.enroll()
            case .intentToken: try await use.intend()
            default: try await use.approve()
            }
        }
        let text = try #require(given)
        switch right.kind {
        case .keptAnswer: right.first = text
        case .intentToken: right.text = text
        default:
            try await confirmLast(right)
            right.text = text
        }
    }

    /// Answers the link that was made last.
    private func confirmLast(_ right: HeldRight) async throws {
        try await confirm(try lastToken(), right)
    }

    /// Token of the link that was made last.
    func lastToken() throws -> String {
        let content = try #require(site.server.link.parcels.last).envelope.content
        return try OutOfBandContent(body: Array(content.utf8)).token
    }

    // MARK: - Browsers and clients

    private func confirmedPage(_ right: HeldRight) async throws -> (entry: OpenSignIn, browser: String) {
        let answer = try await site.send(
            site.authorize(["scope": right.kind == .refreshToken ? "openid offline_access" : "openid"]))
        let path = try #require(answer.headers[.location])
        let id = try #require(
            AuthorizationSessionID(text: String(path.dropFirst("/sign-in/".count).prefix { $0 != "?" })))
        let browser = String(answer.cookie.drop { $0 != "=" }.dropFirst())
        let cookies = BrowserCookies(browser: Sensitive(browser), provider: nil)
        let entry = try #require(try await site.services.signIns.session(id, browser: cookies))
        _ = try await site.services.starter.begin(.code, in: entry, client: ClientContext())
        try await confirmLast(right)
        return (try #require(try await site.services.signIns.session(id, browser: cookies)), browser)
    }

    private func giveInBrowser(to right: inout HeldRight) async throws {
        let (entry, _) = try await confirmedPage(right)
        let answer = try await site.services.signIns.finish(entry, client: ClientContext())
        right.provider = answer.cookies.first { $0.name == BrowserCookies.providerName }?.value?.reveal()
        guard case .redirect(let address) = answer.destination else { throw TestServer.Failure.setUp }
        let query = FormPairs.read(Array(try #require(address.reveal().split(separator: "?").last).utf8)) ?? []
        let code = try #require(query.first { $0.name == "code" }).value
        switch right.kind {
        case .providerCookie: right.text = try #require(right.provider)
        case .code: right.text = code
        default:
            let fields = [
                "grant_type": "authorization_code", "code": code, "redirect_uri": SiteFixture.back,
                "code_verifier": RightUse.verifier,
            ]
            let tokens = try await site.send("/oauth2/token", fields, secret: SiteFixture.secret)
            let members = [GivenOut.accessToken: "access_token", .refreshToken: "refresh_token", .idToken: "id_token"]
            right.text = try tokens.text(try #require(members[right.kind]))
        }
    }

    private func push(to right: inout HeldRight) async throws {
        let query = try #require(site.authorize([:]).split(separator: "?").last)
        let pairs = FormPairs.read(Array(query.utf8)) ?? []
        let fields = Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }
        let answer = try await site.send("/oauth2/par", fields, secret: SiteFixture.secret)
        right.text = try answer.text("request_uri")
    }

    /// Gives a recovery whose wait is over.
    private func recover(_ right: inout HeldRight) async throws {
        right.text = "recovery"
        let (now, user) = (site.server.clock.now(), right.user.id)
        let recovery = Recovery(
            userID: user, cookie: RecoveryCookieHash(of: right.text.utf8), code: nil, begunAt: now, opensAt: now,
            expiresAt: now + .seconds(3_600), holdsSince: now)
        try await site.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.set(recovery)
        }
    }

    private func confirmBackchannel(to right: inout HeldRight) async throws {
        let shop = try #require(ClientID("shop"))
        let begun = try await Confirmations(services, transactions: site.transactions).begin(
            ConfirmationOrder(initiator: .client(shop), channel: .code(right.user)), client: ClientContext())
        try await confirmLast(right)
        let (octets, now) = (services.ports.random.bytes(count: 32), site.server.clock.now())
        let request = BackchannelRequest(
            id: BackchannelRequestHash(of: octets), client: shop, userID: right.user.id, ceremony: begun.id,
            scopes: [.openID], assurance: [], sealedNotificationToken: nil, createdAt: now,
            expiresAt: now + .seconds(120))
        try await site.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(request)
        }
        right.text = Base64URL.encode(octets)
    }
}
