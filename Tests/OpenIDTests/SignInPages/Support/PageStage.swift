import BackendAPI
import Octets
import OpenID
import ServerCore
import SignInPages
import TestSupport
import Testing
import UAF

/// Pages over a storage in memory, with the user `ada` who is signed in, and a client.
struct PageStage {
    static let cookie = Sensitive("provider-cookie")

    let runner = MemoryTransactionRunner()
    let random = SeededRandom()
    let clock = ManualClock()
    let user: User
    var pages: SignInPages

    init(_ change: (inout OpenIDSettings.Pages) -> Void = { _ in }) throws {
        user = User(
            id: UserID(from: random), name: try #require(UserName("ada")), externalID: try #require(UserName("id-ada")),
            createdAt: clock.now())
        let ada = user
        runner.change { $0.users = [ada] }
        var settings = OpenIDSettings.Pages()
        change(&settings)
        pages = try SignInPages(
            settings: settings, issuer: "https://login.example.com", users: MemoryUsers(runner: runner),
            targets: MemoryTargets(runner: runner), transactions: runner,
            ports: .quiet(clock: clock, random: random))
    }

    /// A reader whose browser has both cookies.
    func reader(_ acceptLanguage: String? = nil, language: PageLanguage? = nil) -> PageReader {
        PageReader(
            acceptLanguage: acceptLanguage, language: language,
            cookies: BrowserCookies(browser: Sensitive("browser-cookie"), provider: Self.cookie))
    }

    /// Adds a device with a key, and returns its target and the registration of the key.
    func addDevice(
        _ name: String = "Phone", of owner: User? = nil, destination: PushDestination? = nil
    ) throws -> (target: DispatchTarget, registration: RegistrationID) {
        let device = try SyntheticDevice("org.signet.demo#\(name)")
        let target = DispatchTarget(
            id: DispatchTargetID(from: random), externalID: TargetExternalID(from: random),
            userID: (owner ?? user).id, deviceID: device.id, name: try #require(DeviceName(name)), dispatcher: nil,
            destination: destination, signatureKey: DeviceKey(try device.signatureKey), encryptionKey: nil,
            createdAt: clock.now())
        let credential = RegisteredCredential(
            registrationID: RegistrationID(from: random), userID: target.userID,
            id: CredentialID(
                aaid: SyntheticAuthenticator.defaultAAID, keyID: try #require(KeyID(random.bytes(count: 32)))),
            algorithm: .secp256r1ECDSASHA256DER, publicKey: EncodedPublicKey(format: .eccX962DER, octets: [1]),
            counters: Counters(signatures: 0, registrations: 0), authenticatorVersion: 1, status: .active,
            registeredAt: clock.now(), lastSuccessAt: nil, targetID: target.id)
        runner.change { state in
            state.targets.append(target)
            state.credentials.append(credential)
        }
        return (target, credential.registrationID)
    }

    /// Session of the user at the provider, confirmed now by some keys.
    func session(by registrations: [RegistrationID]) -> BrowserSession {
        BrowserSession(
            id: BrowserSessionID(from: random), cookie: ProviderCookieHash(of: Self.cookie.reveal().utf8),
            userID: user.id, ceremony: CeremonyID(from: random), assurance: .key, authenticatedAt: clock.now(),
            evidence: RequestAuthorization.Evidence(authenticatedAt: clock.now(), registrations: registrations),
            expiresAt: clock.now() + .seconds(3_600))
    }

    /// A sign-in at a client of this name, with what `change` asks for.
    func signIn(
        at name: String = "Shop", _ change: (inout AuthorizationParameters) -> Void = { _ in }
    ) throws -> OpenSignIn {
        let id = try #require(ClientID("shop"))
        let redirect = try #require(RedirectAddress("https://shop.example.com/signed-in"))
        var parameters = AuthorizationParameters(
            client: id, redirect: redirect, codeChallenge: [UInt8](repeating: 1, count: 32))
        change(&parameters)
        let session = AuthorizationSession(
            id: AuthorizationSessionID(from: random), browser: BrowserHash(of: "browser-cookie".utf8),
            parameters: parameters, stage: .confirming(CeremonyID(from: random)), round: 3, createdAt: clock.now(),
            expiresAt: clock.now() + .seconds(600))
        return OpenSignIn(
            session: session, client: RegisteredClient(id: id, name: name, authentication: .none))
    }
}

extension PageAnswer {
    /// The page as text.
    var text: String { String(decoding: html, as: UTF8.self) }
}
