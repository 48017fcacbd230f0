import JOSE
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@Suite("Tokens for a confirmation that another service has obtained (CIBA)")
struct TokenIssuerTests {
    private let fixture: ProviderFixture

    init() async throws { fixture = try await ProviderFixture() }

    private func confirmation() async throws -> OpenID.Confirmation {
        let keys = try await fixture.server.storage.credentials.credentials(of: fixture.user.id)
        let now = fixture.server.clock.now()
        return OpenID.Confirmation(
            id: CeremonyID(from: fixture.server.random), user: fixture.user, authenticatedAt: now,
            evidence: RequestAuthorization.Evidence(
                authenticatedAt: now, registrations: keys.map(\.registrationID)), assurance: .chip, text: "Pay 1")
    }

    @Test("They hold at userinfo, name the request and the refresh token of push delivery, and no session")
    func issue() async throws {
        let shop = try ProviderFixture.shop()
        let granted = try await fixture.services.issuer.issue(
            to: shop, for: try await confirmation(), scopes: [.openID, .offlineAccess],
            requestID: "request-1", by: fixture.server.openID)
        let tokens = try fixture.object(granted.body)
        let claims = try await fixture.claims(try tokens.string("id_token"))
        #expect(claims.text("urn:openid:params:jwt:claim:auth_req_id") == "request-1")
        #expect(claims.text("urn:openid:params:jwt:claim:rt_hash")?.count == 22)
        #expect(claims.text("sid") == nil)
        #expect(claims.text("signet_receipt") != nil)
        let user = try await fixture.userInformation(try tokens.string("access_token"))
        #expect(try fixture.object(user).string("sub") == "ext-jeff")
        _ = try await fixture.refresh(try tokens.string("refresh_token"))
    }

    @Test("A user who was locked since the confirmation gets none")
    func locked() async throws {
        let confirmed = try await confirmation()
        try await fixture.server.services.users.lock(named: "jeff")
        let shop = try ProviderFixture.shop()
        await #expect(throws: ServerError.unauthorized) {
            try await fixture.services.issuer.issue(
                to: shop, for: confirmed, scopes: [.openID], requestID: nil, by: fixture.server.openID)
        }
    }
}
