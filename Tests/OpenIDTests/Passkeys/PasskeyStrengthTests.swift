import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("A passkey beside a phone, and beside a stronger passkey")
struct PasskeyStrengthTests {
    private static let wait: Duration = .seconds(7_200)

    private let stage: PasskeyStage
    private let bound: SoftwareAuthenticator
    private let synced: SoftwareAuthenticator

    init() async throws {
        stage = try await PasskeyStage { $0.removalWait = Self.wait }
        bound = stage.authenticator()
        synced = stage.authenticator(isSynced: true)
        for authenticator in [bound, synced] { #expect(try await stage.register(authenticator) == .done) }
    }

    private func signIn(_ authenticator: SoftwareAuthenticator, on page: OpenSignIn) async throws -> PasskeySignIn {
        let made = try authenticator.assertion(try await stage.request(page), user: stage.user.id.octets)
        return try await stage.provider.signIn(page, with: Sensitive(made.text), client: stage.client)
    }

    private func refusal(of authenticator: SoftwareAuthenticator) async throws -> PasskeySignInRefusal? {
        try await signIn(authenticator, on: try await stage.fixture.open().entry).refusal
    }

    /// Removes the phone as an administrator does.
    private func removePhone() async throws {
        let users = stage.fixture.server.services.users
        try await users.remove(try await users.credentials(of: stage.user).map(\.id), ofUserNamed: "jeff")
    }

    @Test("With a phone no passkey lets in; the page stays open, and the audit says why each time")
    func phone() async throws {
        let (entry, browser) = try await stage.fixture.open()
        for authenticator in [bound, synced] {
            #expect(try await signIn(authenticator, on: entry).refusal == .weakerThanRegistered)
            _ = try await stage.fixture.again(entry, browser: browser)
        }
        let key = Assurance.key.rawValue
        #expect(try await stage.reasons(of: "WEAKER_METHOD_REFUSED") == [key, key])
        let begun = try await stage.fixture.services.starter.begin(.code, in: entry, client: stage.client)
        try await stage.fixture.confirm(begun, assurance: .key)
        let page = try await stage.fixture.again(entry, browser: browser)
        let answer = try await stage.fixture.services.signIns.finish(page, client: stage.client)
        #expect(answer.query["code"] != nil)
    }

    @Test("After its removal the phone keeps passkeys out until the wait is over; then the weaker of them stays out")
    func removed() async throws {
        try await removePhone()
        stage.fixture.server.clock.advance(by: Self.wait - .milliseconds(1))
        for authenticator in [bound, synced] {
            #expect(try await refusal(of: authenticator) == .weakerThanRegistered)
        }
        stage.fixture.server.clock.advance(by: .milliseconds(1))
        #expect(try await refusal(of: synced) == .weakerThanRegistered)
        #expect(try await refusal(of: bound) == nil)
    }

    @Test("A removed passkey keeps the weaker one out as long, and one of its strength ends the wait")
    func removedPasskey() async throws {
        try await removePhone()
        stage.fixture.server.clock.advance(by: Self.wait)
        let session = try await stage.session(
            of: try #require(try await signIn(bound, on: try await stage.fixture.open().entry).answer))
        let first = try #require(
            try await stage.provider.passkeys(of: stage.user.id).first { $0.assurance == .passkey })
        let again = stage.authenticator()
        #expect(try await stage.register(again, by: session) == .done)
        #expect(try await stage.provider.remove(first.id, by: session, client: stage.client) == .done)
        #expect(try await refusal(of: synced) == .weakerThanRegistered)
        #expect(try await refusal(of: again) == nil)
    }

    @Test("A session of a passkey changes nothing once a stronger method is there")
    func session() async throws {
        try await removePhone()
        stage.fixture.server.clock.advance(by: Self.wait)
        let session = try await stage.session(
            of: try #require(try await signIn(bound, on: try await stage.fixture.open().entry).answer))
        #expect(try await stage.fixture.server.register(stage.fixture.phone, for: stage.user) == .ok)
        #expect(try await stage.provider.registrationOptions(of: session) == nil)
        let passkey = try #require(try await stage.provider.passkeys(of: stage.user.id).first)
        #expect(try await stage.provider.remove(passkey.id, by: session, client: stage.client) == .confirmFirst)
    }
}
