import Crypto
import CryptoExtras
import JOSE
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing

@Suite("A client proves itself in one way, the registered one (Core 1.0, 9; RFC 7523)")
struct ClientAuthenticationTests {
    private static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    private let fixture: ProviderFixture
    private let key: P256.Signing.PrivateKey
    private let keyAddress: OutgoingAddress

    init() async throws {
        let key = P256.Signing.PrivateKey()
        self.key = key
        let address = try #require(OutgoingAddress("https://far.example.com/keys"))
        keyAddress = address
        let bank = try ProviderFixture.client(
            "bank", .privateKey(.document(try Self.keySet(key))), redirects: ["https://bank.example.com/back"])
        let far = try ProviderFixture.client(
            "far", .privateKey(.address(address)), redirects: ["https://far.example.com/back"])
        fixture = try await ProviderFixture(clients: [bank, far])
    }

    private static func keySet(_ key: P256.Signing.PrivateKey, id: String = "k1") throws -> [UInt8] {
        try JWKS([JWK(verifying: material(key), keyID: id)]).json
    }

    private static func material(_ key: P256.Signing.PrivateKey) -> JWK.Material {
        let point = Array(key.publicKey.rawRepresentation)
        return .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32)))
    }

    // MARK: - Secrets

    private func basic(_ name: String, _ secret: String) -> String {
        "Basic " + Base64.encode(Array("\(name):\(secret)".utf8))
    }

    @Test("A secret is taken from the header or from the form")
    func secrets() async throws {
        let byForm = try await fixture.services.authentication.authenticate(try fixture.clientRequest([:]))
        #expect(byForm.id.text == "shop")
        let header = basic("sh%6Fp", ProviderFixture.secret)
        let byHeader = try await fixture.services.authentication.authenticate(
            try fixture.clientRequest(["client_id": "shop"], authorization: header))
        #expect(byHeader.id.text == "shop")
        let open = try await fixture.services.authentication.authenticate(try fixture.clientRequest([:], client: "app"))
        #expect(open.id.text == "app")
    }

    @Test("A wrong secret, an unknown client and a client without its secret look the same")
    func wrongSecrets() async throws {
        let headers = [
            basic("shop", "x"), basic("absent", ProviderFixture.secret), basic("app", ProviderFixture.secret),
            "Basic !", "Bearer x", "Basic", basic("shop", ""),
        ]
        for header in headers {
            await #expect(throws: OpenIDRefusal(.invalidClient)) {
                try await fixture.services.authentication.authenticate(
                    try fixture.clientRequest([:], authorization: header))
            }
        }
        let bare = try #require(OpenIDFields([("client_id", "shop")]))
        let empty = try #require(OpenIDFields([]))
        for fields in [bare, empty] {
            await #expect(throws: OpenIDRefusal(.invalidClient)) {
                try await fixture.services.authentication.authenticate(
                    ClientRequest(
                        fields: fields, authorization: nil, address: ProviderFixture.issuer, client: ClientContext()))
            }
        }
    }

    @Test("Two proofs at a time, and a name beside the header that is another one, are refused")
    func twoProofs() async throws {
        let header = basic("shop", ProviderFixture.secret)
        for fields in [["client_id": "shop", "client_secret": ProviderFixture.secret], ["client_id": "other"]] {
            await #expect(throws: OpenIDRefusal(.invalidRequest, field: "client_id")) {
                try await fixture.services.authentication.authenticate(
                    try fixture.clientRequest(fields, authorization: header))
            }
        }
    }

    // MARK: - private_key_jwt

    private func claims(_ changes: [String: JSONValue?] = [:]) -> JSONObject {
        let now = fixture.server.clock.now().seconds
        var members: [(String, JSONValue?)] = [
            ("iss", .string("bank")), ("sub", .string("bank")), ("aud", .string(ProviderFixture.issuer)),
            ("exp", .integer(now + 60)), ("iat", .integer(now)), ("jti", .string("1")),
        ]
        for (name, value) in changes {
            members.removeAll { $0.0 == name }
            members.append((name, value))
        }
        return JSONObject(distinct: members.compactMap { name, value in value.map { JSONObject.Member(name, $0) } })
    }

    private func jwt(
        _ claims: JSONObject, by key: P256.Signing.PrivateKey? = nil, named keyID: String = "k1"
    ) throws -> String {
        let unsigned = UnsignedJWS(
            header: JOSEHeader(algorithm: .es256, keyID: keyID), payload: JSONWriter.write(.object(claims)))
        let signature = try (key ?? self.key).signature(for: unsigned.signingInput)
        return unsigned.signed(with: Array(signature.rawRepresentation))
    }

    private func authenticate(_ jwt: String, type: String = type, name: String? = nil) async throws -> RegisteredClient
    {
        var fields = ["client_assertion": jwt, "client_assertion_type": type]
        fields["client_id"] = name
        return try await fixture.services.authentication.authenticate(try fixture.clientRequest(fields))
    }

    @Test("A JWT of the client's key is good once, for the provider or for the service that is called")
    func assertion() async throws {
        #expect(try await authenticate(try jwt(claims())).id.text == "bank")
        let service = claims([
            "aud": .string(ProviderFixture.issuer + "/oauth2/token"), "jti": .string("2"),
        ])
        #expect(try await authenticate(try jwt(service), name: "bank").id.text == "bank")
        await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(try jwt(claims())) }
    }

    private func refusal(_ body: () async throws -> RegisteredClient) async -> OpenIDRefusal? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? OpenIDRefusal
        }
    }

    @Test("The log says why a JWT proves nothing, and of which client; the client itself is told invalid_client alone")
    func causes() async throws {
        let now = fixture.server.clock.now().seconds
        let cases: [([String: JSONValue?], String, String?)] = [
            (["iss": .string("absent")], "no client has this client_id", nil),
            (["iss": .string("shop"), "sub": .string("shop")], "the request has client_assertion, but", "shop"),
            (["iss": .string("far"), "sub": .string("far")], "the address of the client's keys", "far"),
            (["sub": .string("shop")], "iss and sub of client_assertion", "bank"),
            (["aud": .string("https://other.example")], "aud of client_assertion", "bank"),
            (["exp": .integer(now - 60)], "client_assertion has no exp, or has expired", "bank"),
            (["exp": .integer(now + 3_600)], "client_assertion lives longer than 300 s", "bank"),
            (["nbf": .integer(now + 3_600)], "nbf or iat of client_assertion", "bank"),
            (["jti": nil], "client_assertion has no jti", "bank"),
        ]
        for (changes, cause, client) in cases {
            let refused = await refusal { try await authenticate(try jwt(claims(changes))) }
            #expect(refused?.cause?.hasPrefix(cause) == true, "\(changes): \(refused?.cause ?? "-")")
            #expect(refused?.client?.text == client && refused?.code == .invalidClient && refused?.description == nil)
        }
        let stranger = await refusal { try await authenticate(try jwt(claims(), by: P256.Signing.PrivateKey())) }
        #expect(stranger?.cause == "no key of the client verifies client_assertion" && stranger?.client?.text == "bank")
        _ = try await authenticate(try jwt(claims()))
        let again = await refusal { try await authenticate(try jwt(claims())) }
        #expect(again?.cause == "client_assertion was used before: each needs a new jti")
        #expect(
            await refusal { try await authenticate("canary") }?.cause == "client_assertion is not a signed JWT with iss"
        )
        let other = await refusal { try await authenticate(try jwt(claims()), name: "shop") }
        #expect(other?.cause == "client_id and iss of client_assertion differ" && other?.client == nil)
    }

    @Test("At every service the address of the token endpoint is an audience (RFC 9126, 2; CIBA Core 1.0, 7.1)")
    func audiences() async throws {
        let issuer = ProviderFixture.issuer
        for (number, path) in ["/oauth2/par", "/oauth2/bc-authorize", "/oauth2/introspect", "/oauth2/revoke"]
            .enumerated()
        {
            let cases: [(JSONValue, Bool)] = [
                (.string(issuer), true), (.string(issuer + path), true), (.string(issuer + "/oauth2/token"), true),
                (.array([.string("https://other.example"), .string(issuer + "/oauth2/token")]), true),
                (.string(issuer + "/oauth2/userinfo"), false), (.string(issuer + "/oauth2/token/"), false),
                (.string("https://other.example/oauth2/token"), false),
            ]
            for (index, (audience, isGood)) in cases.enumerated() {
                let token = try jwt(claims(["aud": audience, "jti": .string("\(number).\(index)")]))
                let fields = [("client_assertion", token), ("client_assertion_type", Self.type)]
                let request = ClientRequest(
                    fields: try #require(OpenIDFields(fields)), authorization: nil, address: issuer + path,
                    client: ClientContext())
                let client = try? await fixture.services.authentication.authenticate(request)
                #expect((client?.id.text == "bank") == isGood, "\(path) \(audience)")
            }
        }
    }

    @Test("Unknown members of the header, certificates among them, change nothing; critical ones refuse")
    func headerMembers() async throws {
        let attacker = P256.Signing.PrivateKey()
        let own = String(decoding: try JWK(verifying: Self.material(attacker), keyID: "k1").json, as: UTF8.self)
        let cases: [(members: String, key: P256.Signing.PrivateKey, isGood: Bool)] = [
            (#""ver":1"#, key, true), (#""x5c":["MIIB"],"x5t":"abc""#, key, true), (#""jwk":\#(own)"#, key, true),
            (#""jwk":\#(own)"#, attacker, false), (#""crit":["ver"],"ver":1"#, key, false),
        ]
        for (number, wanted) in cases.enumerated() {
            let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"k1",\#(wanted.members)}"#.utf8))
            let payload = JSONWriter.write(.object(claims(["jti": .string("h\(number)")])))
            let input = header + "." + Base64URL.encode(payload)
            let signature = try wanted.key.signature(for: Array(input.utf8))
            let client = try? await authenticate(input + "." + Base64URL.encode(Array(signature.rawRepresentation)))
            #expect((client != nil) == wanted.isGood, "\(wanted.members)")
        }
    }

    @Test("A key set of the field is used for what can be used of it (RFC 7517, 4.5 and 5)")
    func fieldKeySets() async throws {
        let own = String(decoding: try JWK(verifying: Self.material(key), keyID: "k1").json, as: UTF8.self)
        let rsa =
            #"{"kty":"RSA","kid":"k1","e":"AQAB","n":"\#(Base64URL.encode([0xC1] + [UInt8](repeating: 0x55, count: 255)))"}"#
        let private1 = own.replacing("\"kid\"", with: "\"d\":\"AA\",\"kid\"")
        let sets = [
            (#"{"keys":[\#(rsa),\#(own)]}"#, true), (#"{"keys":[\#(own),\#(own)]}"#, true),
            (#"{"keys":[{"kid":"x"},null,{"kty":"OKP"},\#(own)],"more":1}"#, true),
            (#"{"keys":[\#(own.replacing("\"kid\"", with: "\"key_ops\":null,\"kid\""))]}"#, true),
            (#"{"keys":[]}"#, false), (#"{"keys":[\#(rsa)]}"#, false), (#"{"keys":[\#(private1)]}"#, false),
        ]
        for (number, (set, isGood)) in sets.enumerated() {
            fixture.server.clock.advance(by: .seconds(600))
            fixture.sender.serve(Array(set.utf8), at: keyAddress)
            let client = try? await authenticate(try far("f\(number)"))
            #expect((client != nil) == isGood, "\(set)")
        }
    }

    @Test(
        "A JWT for another receiver, of another time or without what it must say is refused",
        arguments: [
            ["aud": .string("https://evil.example")], ["aud": nil], ["iss": .string("shop")], ["sub": .string("shop")],
            ["exp": nil], ["exp": .integer(0)], ["exp": .integer(4_000_000_000)], ["nbf": .integer(4_000_000_000)],
            ["iat": .integer(4_000_000_000)], ["jti": nil], ["jti": .string("")], ["jti": .integer(1)],
            ["jti": .string(String(repeating: "j", count: 257))],
        ] as [[String: JSONValue?]])
    func wrongClaims(changes: [String: JSONValue?]) async throws {
        let token = try jwt(claims(changes))
        await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(token) }
    }

    @Test("Another key, another name beside it and another type are refused")
    func foreign() async throws {
        let forged = try jwt(claims(), by: P256.Signing.PrivateKey())
        await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(forged) }
        let own = try jwt(claims())
        await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(own, name: "shop") }
        await #expect(throws: OpenIDRefusal(.invalidRequest, field: "client_assertion_type")) {
            try await authenticate(own, type: "urn:ietf:params:oauth:client-assertion-type:saml2-bearer")
        }
    }

    @Test("alg none, HMAC with the public key and RS256 with a key for ES256 are refused")
    func keyConfusion() async throws {
        let payload = Base64URL.encode(JSONWriter.write(.object(claims())))
        func unsigned(_ algorithm: String) -> String {
            Base64URL.encode(Array(#"{"alg":"\#(algorithm)","kid":"k1"}"#.utf8)) + "." + payload
        }
        let hmacKey = SymmetricKey(data: try Self.keySet(key))
        let hmac = HMAC<SHA256>.authenticationCode(for: Array(unsigned("HS256").utf8), using: hmacKey)
        let rsa = try #require(SyntheticKey.sharedRSA)
        let digest = SHA256.hash(data: Array(unsigned("RS256").utf8))
        let signature = try rsa.signature(for: digest, padding: .insecurePKCS1v1_5)
        let tokens = [
            unsigned("none") + ".", unsigned("HS256") + "." + Base64URL.encode(Array(hmac)),
            unsigned("RS256") + "." + Base64URL.encode(Array(signature.rawRepresentation)),
        ]
        for token in tokens {
            await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(token) }
        }
    }

    @Test("Keys at an address are fetched once, and again for a key that is not among them")
    func fetchedKeys() async throws {
        await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(try far("1")) }
        await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(try far("2")) }
        #expect(fixture.sender.fetchCount == 1, "a failure is not tried again at once")
        fixture.sender.serve(try Self.keySet(key), at: keyAddress)
        fixture.server.clock.advance(by: .seconds(30))
        #expect(try await authenticate(try far("3")).id.text == "far")
        #expect(try await authenticate(try far("4")).id.text == "far")
        #expect(fixture.sender.fetchCount == 2)
        fixture.server.clock.advance(by: .seconds(600))
        #expect(try await authenticate(try far("5")).id.text == "far")
        #expect(fixture.sender.fetchCount == 3)
    }

    private func far(_ jti: String, named keyID: String = "k1") throws -> String {
        try jwt(claims(["iss": .string("far"), "sub": .string("far"), "jti": .string(jti)]), named: keyID)
    }

    @Test("Many who come at once have the keys of a client fetched once")
    func fetchedTogether() async throws {
        fixture.sender.serve(try Self.keySet(key), at: keyAddress)
        fixture.sender.delay(by: .milliseconds(100))
        let authentication = fixture.services.authentication
        let requests = try (1...20).map { number in
            try fixture.clientRequest(["client_assertion": try far("\(number)"), "client_assertion_type": Self.type])
        }
        try await withThrowingTaskGroup(of: String.self) { group in
            for request in requests { group.addTask { try await authentication.authenticate(request).id.text } }
            for try await name in group { #expect(name == "far") }
        }
        #expect(fixture.sender.fetchCount == 1)
    }

    @Test("A stranger who names a key that there is not takes no key away while the address is out of reach")
    func strangersKey() async throws {
        fixture.sender.serve(try Self.keySet(key), at: keyAddress)
        #expect(try await authenticate(try far("1")).id.text == "far")
        fixture.sender.serve(nil, at: keyAddress)
        fixture.server.clock.advance(by: .seconds(30))
        for jti in ["2", "3"] {
            await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(try far(jti, named: "k2")) }
        }
        #expect(fixture.sender.fetchCount == 2, "a failure is not tried again at once")
        #expect(try await authenticate(try far("4")).id.text == "far")
        fixture.server.clock.advance(by: .seconds(600))
        await #expect(throws: OpenIDRefusal(.invalidClient)) { try await authenticate(try far("5")) }
    }

    @Test("A client of the database is found within ten seconds, and one that is disabled is none")
    func storedClients() async throws {
        let client = try ProviderFixture.client(
            "late", .secret(ClientSecretHash(of: ProviderFixture.secret.utf8)),
            redirects: ["https://late.example.com/back"])
        let now = fixture.server.clock.now()
        let isAdded = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(client, at: now)
        }
        #expect(isAdded)
        let found = try await fixture.services.authentication.authenticate(
            try fixture.clientRequest([:], client: "late"))
        #expect(found == client, "what was stored is what was registered")
        try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.setDisabled(true, client.id, at: now)
        }
        fixture.server.clock.advance(by: .seconds(10))
        await #expect(throws: OpenIDRefusal(.invalidClient)) {
            try await fixture.services.authentication.authenticate(try fixture.clientRequest([:], client: "late"))
        }
    }
}
