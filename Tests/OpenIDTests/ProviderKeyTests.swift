import JOSE
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import OpenID

@Suite("Keys of ID tokens are their own, and change without a token that fails")
struct ProviderKeyTests {
    @Test("A token that was signed before a rotation verifies after it, and new ones have the new key")
    func rotation() async throws {
        let fixture = try await ProviderFixture()
        let old = try await fixture.exchange(try await fixture.code()).string("id_token")
        try await fixture.server.services.keys.rotate()
        fixture.server.clock.advance(by: KeyService.margin)
        let new = try await fixture.exchange(try await fixture.code()).string("id_token")
        let (oldKey, newKey) = (try CompactJWS(parsing: old).header.keyID, try CompactJWS(parsing: new).header.keyID)
        #expect(oldKey != newKey)
        #expect(try await fixture.claims(old).subject == "ext-jeff")
        #expect(try await fixture.claims(new).subject == "ext-jeff")
    }

    @Test("No key of the provider is among the keys of the backend")
    func apart() async throws {
        let fixture = try await ProviderFixture()
        let own = try JWKS(json: try await fixture.services.keys.keySetDocument).keys.compactMap(\.keyID)
        let backend = fixture.server.services.keys.publicKeys(of: .tokenSigning).compactMap(\.keyID)
        #expect(!own.isEmpty)
        #expect(!backend.isEmpty)
        #expect(Set(own).isDisjoint(with: backend))
    }

    @Test("A client that asks for RS256 gets it at once, though no key was made before, and finds it in the key set")
    func rsa() async throws {
        var client = try ProviderFixture.client(
            "old", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)),
            redirects: ["https://old.example.com/back"])
        client.idTokenAlgorithm = .rs256
        let fixture = try await ProviderFixture(clients: [client])
        let back = "https://old.example.com/back"
        let code = try await fixture.code(["client_id": "old", "redirect_uri": back])
        let token = try await fixture.exchange(code, redirect: back, client: "old").string("id_token")
        #expect(try CompactJWS(parsing: token).header.algorithm == .rs256)
        #expect(try await fixture.claims(token).audience == ["old"])
    }

    @Test("A process that has read the keys before another one made the first of RS256 publishes it and signs with it")
    func otherProcess() async throws {
        let fixture = try await ProviderFixture()
        let other = try await TestServer(authenticators: [fixture.phone], store: .of(fixture.server))
        let keys = ProviderKeys(service: fixture.server.services.keys, issuer: ProviderFixture.issuer)
        #expect(try await keys.publishedKeySet().keys.count == 1, "only the key of ES256")
        try await other.services.keys.provide(.idTokenRSA)
        let made = try #require(other.services.keys.publicKeys(of: .idTokenRSA).first?.keyID)
        #expect(try await keys.publishedKeySet().keys.contains { $0.keyID == made })
        #expect(try await keys.signer(for: .rs256).id.text == made)
    }

    @Test("A process signs with the first key of RS256 that another one has made, and makes none of its own")
    func oneKey() async throws {
        let fixture = try await ProviderFixture()
        let other = try await TestServer(authenticators: [fixture.phone], store: .of(fixture.server))
        try await other.services.keys.provide(.idTokenRSA)
        let keys = ProviderKeys(service: fixture.server.services.keys, issuer: ProviderFixture.issuer)
        let signer = try await keys.signer(for: .rs256)
        #expect(other.services.keys.publicKeys(of: .idTokenRSA).map(\.keyID) == [signer.id.text])
    }

    @Test("The document of discovery names the issuer, S256 and nothing weaker")
    func discovery() async throws {
        let fixture = try await ProviderFixture()
        let document = try fixture.object(fixture.services.discoveryDocument)
        #expect(try document.string("issuer") == ProviderFixture.issuer)
        #expect(try document.string("token_endpoint") == ProviderFixture.issuer + "/oauth2/token")
        #expect(document["code_challenge_methods_supported"] == .array([.string("S256")]))
        #expect(document["response_types_supported"] == .array([.string("code")]))
        #expect(document["authorization_response_iss_parameter_supported"] == .bool(true))
        #expect(document["request_uri_parameter_supported"] == .bool(false))
    }
}
