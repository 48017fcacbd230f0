import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing

@Suite("A token that is bound to a key is worth nothing without a proof of the key (DPoP, RFC 9449)")
struct KeyProofTests {
    private let fixture: ProviderFixture
    private let key: ClientKey

    init() async throws {
        var bound = try ProviderFixture.client(
            "bound", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)),
            redirects: ["https://bound.example.com/back"])
        bound.requiresKeyProof = true
        fixture = try await ProviderFixture(clients: [bound])
        key = try ClientKey()
    }

    private var now: Timestamp { fixture.server.clock.now() }

    private func codeRequest(
        _ changes: [String: String?] = [:], client: String = "shop", redirect: String = ProviderFixture.back,
        proofs: [String]
    ) async throws -> ClientRequest {
        var changes = changes
        changes["client_id"] = client
        changes["redirect_uri"] = redirect
        return try fixture.clientRequest(
            [
                "grant_type": "authorization_code", "code": try await fixture.code(changes), "redirect_uri": redirect,
                "code_verifier": ProviderFixture.verifier,
            ], client: client, proofs: proofs)
    }

    private func boundTokens(_ proof: String? = nil) async throws -> JSONObject {
        let proof = try proof ?? key.proof(at: now)
        return try await fixture.object(fixture.tokens(codeRequest(proofs: [proof])))
    }

    private func refresh(_ token: String, client: String = "app", proofs: [String]) async throws -> JSONObject {
        let fields = ["grant_type": "refresh_token", "refresh_token": token]
        return try fixture.object(
            await fixture.tokens(try fixture.clientRequest(fields, client: client, proofs: proofs)))
    }

    private func userInformation(
        _ token: String, with proof: String?, as scheme: PresentedAccessToken.Scheme = .proof
    ) async throws -> JSONObject {
        try fixture.object(
            await fixture.userInformation(token, as: scheme, proofs: proof.map { [$0] } ?? []))
    }

    /// The refusal of a request, with its reason; nil when it is answered.
    private func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch let error as OpenIDRefusal {
            return "\(error.code.rawValue): \(error.reason)"
        } catch {
            return "\(error)"
        }
    }

    // MARK: - The proof (4.3)

    private static let other = JSONValue.string("x")

    @Test("A sound proof is taken, also with an address in another spelling and at the ends of a minute")
    func sound() async throws {
        for address in [
            "https://login.example.com/oauth2/token", "HTTPS://Login.Example.com:443/oauth2/token?a=b#c",
        ] {
            for distance in [-60, 0, 60] {
                let proof = try key.proof("POST", address, at: now + .seconds(distance))
                #expect(try await boundTokens(proof).string("token_type") == "DPoP")
            }
        }
    }

    @Test(
        "Each check of a proof is refused by its number",
        arguments: [
            ("2", ["jwk": nil], [:]), ("2", ["jwk": other], [:]), ("2", ["crit": .array([other])], [:]),
            ("3", [:], ["jti": nil]), ("3", [:], ["jti": .string("")]),
            ("3", [:], ["jti": .string(String(repeating: "j", count: 257))]), ("3", [:], ["htm": nil]),
            ("3", [:], ["htu": nil]), ("3", [:], ["iat": nil]), ("4", ["typ": nil], [:]),
            ("4", ["typ": .string("JWT")], [:]), ("5", ["alg": .string("none")], [:]),
            ("5", ["alg": .string("HS256")], [:]), ("8", [:], ["htm": .string("GET")]),
            ("8", [:], ["htm": .string("post")]), ("9", [:], ["htu": .string("https://login.example.com/oauth2/par")]),
            ("9", [:], ["htu": .string("https://login.example.com.evil.example/oauth2/token")]),
            ("9", [:], ["htu": .string("http://login.example.com/oauth2/token")]), ("9", [:], ["htu": other]),
        ] as [(String, [String: JSONValue?], [String: JSONValue?])])
    func refused(check: String, header: [String: JSONValue?], claims: [String: JSONValue?]) async throws {
        let proof = try key.proof(at: now, header: header, claims: claims)
        let reason = await refusal { _ = try await boundTokens(proof) }
        #expect(reason?.hasPrefix("invalid_dpop_proof: check \(check):") == true, "\(reason ?? "answered")")
    }

    @Test("Two proofs, another key's signature, a private key and a wrong time are refused")
    func refusedElsewhere() async throws {
        let sound = try key.proof(at: now)
        let two = await refusal {
            _ = try await fixture.tokens(codeRequest(proofs: [sound, try key.proof(at: now)]))
        }
        #expect(two?.hasPrefix("invalid_dpop_proof: check 1:") == true)
        let foreign = try key.proof(at: now, header: ["jwk": .object(try ClientKey().jwk.members)])
        #expect(await refusal { _ = try await boundTokens(foreign) }?.hasPrefix("invalid_dpop_proof: check 6:") == true)
        var members = key.jwk.members
        members.append("d", .string(Base64URL.encode([UInt8](repeating: 1, count: 32))))
        let open = try key.proof(at: now, header: ["jwk": .object(members)])
        #expect(await refusal { _ = try await boundTokens(open) }?.hasPrefix("invalid_dpop_proof: check 7:") == true)
        for claim: JSONValue in [
            .integer(now.seconds + 61), .integer(now.seconds - 61), .integer(Int64.max), .integer(Int64.min),
        ] {
            let proof = try key.proof(at: now, claims: ["iat": claim])
            let reason = await refusal { _ = try await boundTokens(proof) }
            #expect(reason?.hasPrefix("invalid_dpop_proof: check 11:") == true, "\(reason ?? "answered")")
        }
    }

    @Test("A proof counts once: for a code, at a refresh, for userinfo")
    func once() async throws {
        let proof = try key.proof(at: now)
        let access = try await boundTokens(proof).string("access_token")
        let again = "invalid_dpop_proof: the DPoP proof was used before: each needs a new jti"
        #expect(await refusal { _ = try await boundTokens(proof) } == again)
        let shown = try key.proof("GET", ProviderFixture.issuer + "/oauth2/userinfo", at: now, accessToken: access)
        #expect(try await userInformation(access, with: shown).string("sub") == "ext-jeff")
        #expect(await refusal { _ = try await userInformation(access, with: shown) } == again)
    }

    // MARK: - Access tokens (6, 7)

    @Test("Userinfo takes a bound token with a proof of its key, and no other")
    func userInformation() async throws {
        let access = try await boundTokens().string("access_token")
        let bearer = try await fixture.exchange(fixture.code()).string("access_token")
        func proof(_ key: ClientKey, for token: String? = nil) throws -> String {
            try key.proof("GET", ProviderFixture.issuer + "/oauth2/userinfo", at: now, accessToken: token)
        }
        #expect(try await userInformation(access, with: proof(key, for: access)).string("sub") == "ext-jeff")
        #expect(try await userInformation(bearer, with: nil, as: .bearer).string("sub") == "ext-jeff")
        let other = try ClientKey()
        let cases: [(String, String, String?, PresentedAccessToken.Scheme)] = [
            ("invalid_token: the access token is bound to a key", access, nil, .bearer),
            ("invalid_token: the access token is bound to a key", access, try proof(key, for: access), .bearer),
            ("invalid_dpop_proof: the header field DPoP is missing", access, nil, .proof),
            ("invalid_dpop_proof: check 12", access, try proof(key), .proof),
            ("invalid_dpop_proof: check 12", access, try proof(key, for: bearer), .proof),
            ("invalid_token: the access token is bound to another key", access, try proof(other, for: access), .proof),
            ("invalid_token: the access token is bound to no key", bearer, try proof(key, for: bearer), .proof),
        ]
        for (expected, token, proof, scheme) in cases {
            let reason = await refusal { _ = try await userInformation(token, with: proof, as: scheme) }
            #expect(reason?.hasPrefix(expected) == true, "\(expected), but \(reason ?? "answered")")
        }
    }

    @Test("Introspection names the key")
    func introspection() async throws {
        let access = try await boundTokens().string("access_token")
        let answer = try await fixture.introspect(access)
        #expect(try answer.string("token_type") == "DPoP")
        #expect(try answer["cnf"]?.asObject().string("jkt") == key.thumbprint)
        let bearer = try await fixture.introspect(fixture.exchange(fixture.code()).string("access_token"))
        #expect(try bearer.string("token_type") == "Bearer" && bearer["cnf"] == nil)
    }

    // MARK: - Refresh tokens (5)

    @Test("The refresh token of a client without a proof of its own is bound to the key, and a thief uses nothing up")
    func publicRefresh() async throws {
        let back = "http://127.0.0.1:8123/back"
        let request = try await codeRequest(
            ["scope": "openid offline_access"], client: "app", redirect: back, proofs: [try key.proof(at: now)])
        let first = try await fixture.object(fixture.tokens(request)).string("refresh_token")
        let words = "invalid_grant: the refresh token is bound to a key: it needs a DPoP proof by the same one"
        let foreign = try ClientKey().proof(at: now)
        #expect(await refusal { _ = try await refresh(first, proofs: []) } == words)
        #expect(await refusal { _ = try await refresh(first, proofs: [foreign]) } == words)
        let tokens = try await refresh(first, proofs: [try key.proof(at: now)])
        #expect(try tokens.string("token_type") == "DPoP")
        let second = try tokens.string("refresh_token")
        #expect(await refusal { _ = try await refresh(second, proofs: []) } == words)
        _ = try await refresh(second, proofs: [try key.proof(at: now)])
    }

    @Test("A client that proves itself may refresh with another key, and the new access token has that")
    func confidentialRefresh() async throws {
        let request = try await codeRequest(
            ["scope": "openid offline_access"], proofs: [try key.proof(at: now)])
        let first = try await fixture.object(fixture.tokens(request)).string("refresh_token")
        let other = try ClientKey()
        let tokens = try await refresh(first, client: "shop", proofs: [try other.proof(at: now)])
        let answer = try await fixture.introspect(try tokens.string("access_token"))
        #expect(try answer["cnf"]?.asObject().string("jkt") == other.thumbprint)
    }

    // MARK: - Codes (10)

    @Test("A code that was asked for with dpop_jkt is good for that key only, and one wrong key uses it up")
    func boundCode() async throws {
        let words = "invalid_grant: the code needs a DPoP proof by the key of its request"
        let binding = ["dpop_jkt": key.thumbprint]
        let own = try await codeRequest(binding, proofs: [try key.proof(at: now)])
        #expect(try await fixture.object(fixture.tokens(own)).string("token_type") == "DPoP")
        for proofs in [[], [try ClientKey().proof(at: now)]] {
            let request = try await codeRequest(binding, proofs: proofs)
            #expect(await refusal { _ = try await fixture.tokens(request) } == words)
        }
        for text in ["x", String(repeating: "A", count: 44)] {
            let answer = try await fixture.authorize(["dpop_jkt": text])
            #expect(answer.query["error"] == "invalid_request", "\(text)")
        }
    }

    @Test("A pushed request with a proof binds its code; a dpop_jkt of another key beside it is refused")
    func pushed() async throws {
        let fields = try #require(ProviderFixture.request(["client_id": nil]))
        let address = ProviderFixture.issuer + "/oauth2/par"
        func push(_ more: [String: String]) throws -> ClientRequest {
            var all = fields.fields
            for (name, value) in more { all[name] = value }
            let request = try fixture.clientRequest(all)
            return ClientRequest(
                fields: request.fields, authorization: nil, address: address, client: request.client,
                proofs: [try key.proof("POST", address, at: now)])
        }
        let uri = try await fixture.object(fixture.push(push([:]))).string("request_uri")
        let code = try await fixture.code(["request_uri": uri])
        let wrong = try fixture.clientRequest(
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": ProviderFixture.back,
                "code_verifier": ProviderFixture.verifier,
            ], proofs: [try ClientKey().proof(at: now)])
        let words = "invalid_grant: the code needs a DPoP proof by the key of its request"
        #expect(await refusal { _ = try await fixture.tokens(wrong) } == words)
        let mixed = try push(["dpop_jkt": try ClientKey().thumbprint])
        #expect(await refusal { _ = try await fixture.push(mixed) }?.hasPrefix("invalid_dpop_proof") == true)
    }

    // MARK: - Clients (5.2)

    @Test("A client that is registered with require-dpop gets tokens with a proof only")
    func required() async throws {
        let back = "https://bound.example.com/back"
        let request = try await codeRequest(client: "bound", redirect: back, proofs: [])
        let advice = "This client is registered with require-dpop: send a proof in the header field DPoP."
        #expect(await refusal { _ = try await fixture.tokens(request) } == "invalid_dpop_proof: \(advice)")
        let proven = try await codeRequest(client: "bound", redirect: back, proofs: [try key.proof(at: now)])
        #expect(try await fixture.object(fixture.tokens(proven)).string("token_type") == "DPoP")
    }
}
