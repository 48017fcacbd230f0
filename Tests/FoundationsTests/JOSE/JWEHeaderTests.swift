import JOSE
import Octets
import StrictJSON
import Testing

@Suite("Headers and keys of encryption")
struct JWEHeaderTests {
    private let receiver = JWEReceiver()

    /// A good header with changes; a value of nil removes the member.
    private func header(_ changes: KeyValuePairs<String, JSONValue?> = [:]) throws -> JWEHeader {
        let point = try JSONValue.object(receiver.publicKey.members)
        var members: [JSONObject.Member] = [
            .init("alg", .string("ECDH-ES")), .init("enc", .string("A256GCM")), .init("epk", point),
        ]
        for (name, value) in changes {
            members.removeAll { $0.name == name }
            if let value { members.append(.init(name, value)) }
        }
        return try JWEHeader(json: JSONWriter.write(.object(JSONObject(distinct: members))))
    }

    @Test("Every allowed member is read and written")
    func allowed() throws {
        let header = try header([
            "kid": .string("k"), "typ": .string("JOSE"), "cty": .string("json"), "apu": .string("QWxpY2U"),
            "apv": .string("Qm9i"),
        ])
        let again = try JWEHeader(json: header.json)
        for header in [header, again] {
            #expect(header.keyID == "k" && header.type == "JOSE" && header.contentType == "json")
            #expect(header.partyU == Array("Alice".utf8) && header.partyV == Array("Bob".utf8))
            #expect(header.ephemeralKey == (try receiver.publicKey.material))
        }
    }

    @Test(
        "Members that are not allowed are refused, whatever they say",
        arguments: ["crit", "zip", "jku", "jwk", "x5u", "x5c", "x5t", "b64", "p2s", "p2c", "iv", "tag", "exp", "Alg"])
    func forbidden(name: String) {
        for value: JSONValue in [
            .string("DEF"), .array([]), .array([.string("exp")]), .bool(true), .object([:]), .null,
        ] {
            #expect(throws: JOSEError.refusedHeader) { try header([name: value]) }
        }
    }

    @Test("Members of a wrong type, and missing ones, are refused", arguments: ["alg", "enc", "epk"])
    func required(name: String) {
        for value: JSONValue? in [nil, .integer(1), .null, .array([])] {
            #expect(throws: JOSEError.refusedHeader) { try header([name: value]) }
        }
    }

    @Test("Optional members of a wrong type are refused", arguments: ["kid", "typ", "cty", "apu", "apv"])
    func types(name: String) {
        for value: JSONValue in [.integer(1), .array([.string("a")]), .object([:])] {
            #expect(throws: JOSEError.refusedHeader) { try header([name: value]) }
        }
    }

    @Test("Names of parties must be strict base64url", arguments: ["QQ==", "Q", "QR", "Q Q", "+/"])
    func parties(text: String) {
        #expect(throws: JOSEError.refusedHeader) { try header(["apu": .string(text)]) }
        #expect(throws: JOSEError.refusedHeader) { try header(["apv": .string(text)]) }
    }

    @Test(
        "Headers that are no object, repeat a member or are no UTF-8 are malformed",
        arguments: [
            "", "[]", "1", #"{"alg":"ECDH-ES","\u0061lg":"ECDH-ES"}"#, #"{"alg":"ECDH-ES"}{}"#, "\u{FEFF}{}",
        ])
    func malformed(text: String) {
        #expect(throws: JOSEError.malformedToken) { try JWEHeader(json: Array(text.utf8)) }
        #expect(throws: JOSEError.malformedToken) { try JWEHeader(json: Array(text.utf8) + [0xFF]) }
    }

    @Test("The sender's key must be on P-256, whole, public and a point of the curve")
    func ephemeralKey() throws {
        let good = try receiver.publicKey.members
        func changed(_ name: String, _ value: JSONValue?) -> JSONValue {
            .object(
                JSONObject(distinct: good.members.filter { $0.name != name } + (value.map { [.init(name, $0)] } ?? [])))
        }
        let zeros = JSONValue.string(Base64URL.encode([UInt8](repeating: 0, count: 32)))
        for key: JSONValue in [
            changed("crv", .string("P-384")), changed("crv", .string("p-256")), changed("crv", nil),
            changed("kty", .string("OKP")), changed("x", nil), changed("y", nil), changed("y", zeros),
            changed("x", .string(try good.string("x") + "AA")), changed("d", zeros), .object([:]), .string("x"),
        ] {
            #expect(throws: JOSEError.refusedHeader) { try header(["epk": key]) }
        }
    }

    @Test("With RSA there is no key and no party of the sender")
    func rsa() throws {
        let rsa: JSONValue = .string("RSA-OAEP-256")
        #expect(try header(["alg": rsa, "epk": nil]).ephemeralKey == nil)
        #expect(throws: JOSEError.refusedHeader) { try header(["alg": rsa]) }
        #expect(throws: JOSEError.refusedHeader) { try header(["alg": rsa, "epk": nil, "apu": .string("QQ")]) }
    }

    // MARK: - Keys

    @Test("A key that names an algorithm is sealed to and opened with that one only")
    func namedAlgorithm() throws {
        let key = try receiver.publicKey
        #expect(try key.encryptionAlgorithms() == [.ecdhESA256KW])
        #expect(throws: JOSEError.algorithmMismatch) { try CompactJWE.seal([], to: key, algorithm: .ecdhES) }
        let any = try JWK(json: JWKText.withoutUse(key))
        let acceptance = try JWEAcceptance(holderOf: key)
        let direct = try CompactJWE.seal([], to: any, algorithm: .ecdhES)
        #expect(throws: JOSEError.algorithmMismatch) { try receiver.open(direct, accepting: acceptance) }
        #expect(try receiver.open(CompactJWE.seal([], to: key), accepting: acceptance).isEmpty)
    }

    @Test("A receiver that accepts one cipher opens no other")
    func acceptedCipher() throws {
        let acceptance = JWEAcceptance(encryptions: [.a256GCM])
        let key = try receiver.publicKey
        #expect(try receiver.open(CompactJWE.seal([], to: key), accepting: acceptance).isEmpty)
        let other = try CompactJWE.seal([], to: key, encryption: .a128GCM)
        #expect(throws: JOSEError.algorithmMismatch) { try CompactJWE(parsing: other, accepting: acceptance) }
    }

    @Test(
        "A key for something else is not sealed to",
        arguments: [
            ["use": "sig"], ["alg": "ES256"], ["alg": "ECDH-ES+A192KW"], ["alg": "RSA-OAEP-256"], ["alg": "dir"],
        ] as [[String: String]])
    func otherUse(changes: [String: String]) throws {
        let any = try JSONParser.parse(JWKText.withoutUse(receiver.publicKey)).asObject()
        let added = changes.map { JSONObject.Member($0.key, .string($0.value)) }
        let key = try JWK(.object(JSONObject(distinct: any.members + added)))
        #expect(throws: JOSEError.unsupportedKey) { try CompactJWE.seal([], to: key) }
        #expect(throws: JOSEError.unsupportedKey) { try JWEAcceptance(holderOf: key) }
    }

    @Test("Operations of a key count: deriving is needed, nothing said is enough")
    func operations() throws {
        func key(_ operations: [String]) throws -> JWK {
            let any = try JSONParser.parse(JWKText.withoutUse(receiver.publicKey)).asObject()
            let listed = JSONObject.Member("key_ops", .array(operations.map(JSONValue.string)))
            return try JWK(.object(JSONObject(distinct: any.members + [listed])))
        }
        for operation in ["deriveKey", "deriveBits"] {
            #expect(throws: Never.self) { try CompactJWE.seal([], to: key([operation])) }
        }
        for operations in [[], ["verify"], ["encrypt"]] {
            #expect(throws: JOSEError.unsupportedKey) { try CompactJWE.seal([], to: key(operations)) }
        }
    }

    @Test("A key for encrypting says so when written, and verifies nothing")
    func written() throws {
        let key = try JWK(json: JWK(encrypting: receiver.publicKey.material, keyID: "k").json)
        #expect(key.use == .encryption && key.algorithmName == "ECDH-ES+A256KW" && key.keyID == "k")
        #expect(throws: JOSEError.unsupportedKey) { try key.verificationAlgorithm() }
        let signing = try JWK(verifying: key.material)
        #expect(throws: JOSEError.unsupportedKey) { try signing.encryptionAlgorithms() }
    }
}
