import BackendAPI
import Octets
import OpenID
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService
import WebAuthn

/// Provider with passkeys, on which `jeff` has a phone; authenticators are in software.
struct PasskeyStage {
    static let issuer = ProviderFixture.issuer
    static let domain = "login.example.com"

    let fixture: ProviderFixture
    let provider: any PasskeyService
    let client = ClientContext(address: "192.0.2.1")

    init(_ change: (inout OpenIDSettings.Passkeys) -> Void = { _ in }) async throws {
        var passkeys = OpenIDSettings.Passkeys()
        change(&passkeys)
        let settings = passkeys
        fixture = try await ProviderFixture { $0.passkeys = settings }
        provider = try #require(fixture.services.passkeys)
    }

    var user: User { fixture.user }

    /// An authenticator with a browser on the provider's page.
    func authenticator(isSynced: Bool = false) -> SoftwareAuthenticator {
        var authenticator = SoftwareAuthenticator()
        authenticator.relyingPartyID = Self.domain
        authenticator.client.origin = Self.issuer
        if isSynced { authenticator.flags |= 0x18 }
        return authenticator
    }

    // MARK: - Sessions of browsers

    /// A session of a browser that a phone has begun just now.
    func session(by user: User? = nil) async throws -> BrowserSession {
        try await session(of: fixture.signIn(by: user))
    }

    /// The session that an answer begins.
    func session(of answer: AuthorizationAnswer) async throws -> BrowserSession {
        let cookie = try #require(answer.cookie(BrowserCookies.providerName))
        return try #require(try await session(of: cookie))
    }

    func session(of cookie: String) async throws -> BrowserSession? {
        try await fixture.server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.browserSession(ProviderCookieHash(of: cookie.utf8))
        }
    }

    /// Another user, who has a phone.
    func anna() async throws -> User {
        let anna = try await fixture.server.services.users.add(name: "anna", externalID: "ext-anna")
        try await fixture.server.register(try SyntheticAuthenticator(), for: anna)
        return anna
    }

    // MARK: - Registration

    /// Challenge of a new registration.
    func creation(_ session: BrowserSession) async throws -> CreationOffer {
        let options = try #require(try await provider.registrationOptions(of: session))
        return CreationOffer(
            challenge: try Base64URL.decode(try options.string("challenge")),
            user: PasskeyUser(handle: session.userID.octets, name: "", displayName: ""))
    }

    /// Registers a passkey by a session, which a phone begins unless one is given.
    @discardableResult
    func register(
        _ authenticator: SoftwareAuthenticator, by session: BrowserSession? = nil, named name: String = "Laptop"
    ) async throws -> PasskeyChange {
        let session = if let session { session } else { try await self.session() }
        let made = try authenticator.registration(try await creation(session))
        return try await provider.register(
            Sensitive(made.text), named: try #require(DeviceName(name)), by: session, client: client)
    }

    // MARK: - Sign-in

    /// Challenge of a page, perhaps for the passkeys of a name.
    func request(_ page: OpenSignIn, username: String? = nil) async throws -> RequestOffer {
        let options = try await provider.signInOptions(of: page, username: username)
        return RequestOffer(challenge: try Base64URL.decode(try options.string("challenge")))
    }

    /// Takes all phones away, as if that was long ago: only then a passkey lets in.
    func forgetPhones() async throws {
        try await fixture.server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("DELETE FROM credentials", [])
            _ = try connection.execute("DELETE FROM removed_methods", [])
        }
    }

    /// Signs in on a page, a new one unless one is given, without a phone.
    func signIn(
        _ authenticator: SoftwareAuthenticator, on page: OpenSignIn? = nil, username: String? = nil,
        as user: User? = nil, handle: [UInt8]? = nil, _ change: (inout MadeAssertion) -> Void = { _ in }
    ) async throws -> PasskeySignIn {
        try await forgetPhones()
        let page = if let page { page } else { try await fixture.open().entry }
        var made = try authenticator.assertion(
            try await request(page, username: username), user: handle ?? (user ?? self.user).id.octets)
        change(&made)
        return try await provider.signIn(page, with: Sensitive(made.text), client: client)
    }

    /// Reasons in the records of a kind, in order.
    func reasons(of kind: String) async throws -> [String?] {
        let chain = fixture.server.services.settings.instanceName
        return try await fixture.server.storage.audit.records(of: chain, after: 0, limit: 1_000)
            .map { try fixture.object($0.event) }.filter { try $0.string("event") == kind }
            .map { try $0.optionalString("reason") }
    }
}

extension PasskeySignIn {
    /// The refusal; nil for an answer.
    var refusal: PasskeySignInRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }

    /// The answer; nil for a refusal.
    var answer: AuthorizationAnswer? { if case .answered(let answer) = self { answer } else { nil } }
}
