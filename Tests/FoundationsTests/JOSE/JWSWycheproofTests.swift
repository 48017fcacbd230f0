import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("Wycheproof, signatures", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct JWSWycheproofTests {
    /// The key that a group trusts, nil when it is none that we offer.
    private func key(of group: JSONObject) throws -> JWK? {
        let members =
            try group["public"]?.asObject()
            ?? group.required("private") { value throws(JSONTypeError) in
                try value.asObject()
            }
        guard let key = try? JWK(.object(members)), (try? key.verificationAlgorithm()) != nil else { return nil }
        return key
    }

    @Test("json_web_signature: our algorithms as stated, all others refused")
    func signatures() throws {
        for group in try JSONValue.file("wycheproof/json_web_signature_test.json").objects("testGroups") {
            let key = try key(of: group)
            for entry in try group.objects("tests") {
                let name = "\(try group.string("comment")) \(try entry.integer("tcId", as: Int.self))"
                let token = try token(of: entry)
                let verify: () throws -> VerifiedJWS = {
                    guard let key else { throw JOSEError.unsupportedKey }
                    return try CompactJWS(parsing: token).verified(by: key)
                }
                switch try entry.string("result") {
                case "valid" where key != nil && !isSerialized(entry):
                    #expect(throws: Never.self, "\(name)") { try verify() }
                case "valid", "invalid": #expect(throws: JOSEError.self, "\(name)") { try verify() }
                case let other: Issue.record("unknown result \(other) of \(name)")
                }
            }
        }
    }

    @Test("json_web_key: sets with our keys as stated, all others refused")
    func keySets() throws {
        for group in try JSONValue.file("wycheproof/json_web_key_test.json").objects("testGroups") {
            let document = try #require(group["public"] ?? group["private"])
            let offered = try JSONObjectOfKeys(document).areOffered
            for entry in try group.objects("tests") {
                let name = "\(try group.string("comment")) \(try entry.integer("tcId", as: Int.self))"
                let token = try token(of: entry)
                let verify: () throws -> VerifiedJWS = {
                    try CompactJWS(parsing: token).verified(by: JWKS(json: JSONWriter.write(document)))
                }
                switch try entry.string("result") {
                case "valid" where offered && !isSerialized(entry):
                    #expect(throws: Never.self, "\(name)") { try verify() }
                case "valid", "invalid": #expect(throws: JOSEError.self, "\(name)") { try verify() }
                case let other: Issue.record("unknown result \(other) of \(name)")
                }
            }
        }
    }

    /// O-J5: the token as it would travel; one in JSON serialization (RFC 7515, 7.2) is not compact and is refused.
    private func token(of entry: JSONObject) throws -> String {
        let value = try #require(entry["jws"])
        guard case .string(let compact) = value else { return JSONWriter.text(value) }
        return compact
    }

    private func isSerialized(_ entry: JSONObject) -> Bool {
        guard case .string(let text) = entry["jws"] else { return true }
        return text.hasPrefix("{")
    }

    @Test("O-J5: a token in JSON serialization is refused, as a text and as an object")
    func serialized() throws {
        let entry = JSONObject(["jws": .object(JSONObject(["payload": .string("e30"), "signature": .string("AA")]))])
        #expect(isSerialized(entry))
        let text = try token(of: entry)
        #expect(throws: JOSEError.malformedToken) { try CompactJWS(parsing: text) }
    }

    /// Whether every key of a set is of an algorithm that we offer.
    private struct JSONObjectOfKeys {
        let areOffered: Bool

        init(_ document: JSONValue) throws {
            areOffered = try document.asObject().objects("keys").allSatisfy { key in
                ["ES256", "RS256"].contains(try? key.string("alg"))
            }
        }
    }

    @Test("ecdsa_secp256r1_sha256_p1363: every raw signature, as a JWS key would judge it")
    func rawECDSA() throws {
        for group in try JSONValue.file("wycheproof/ecdsa_secp256r1_sha256_p1363_test.json").objects("testGroups") {
            let point = try Hex.decode(
                group.required("publicKey") { value throws(JSONTypeError) in
                    try value.asObject().string("uncompressed")
                })
            // A point of another curve is none of ours.
            guard point.count == 65 else {
                #expect(throws: JOSEError.malformedKey) { try JWK.Material(p256Point: point) }
                continue
            }
            let key = try JWK(verifying: JWK.Material(p256Point: point))
            for entry in try group.objects("tests") {
                let message = try Hex.decode(entry.string("msg"))
                let signature = try Hex.decode(entry.string("sig"))
                let name = try "\(entry.integer("tcId", as: Int.self)): \(entry.string("comment"))"
                switch try entry.string("result") {
                case "valid":
                    #expect(throws: Never.self, "\(name)") { try key.requireSignature(signature, over: message) }
                case "invalid":
                    #expect(throws: JOSEError.invalidSignature, "\(name)") {
                        try key.requireSignature(signature, over: message)
                    }
                case let other: Issue.record("unknown result \(other) of \(name)")
                }
            }
        }
    }
}
