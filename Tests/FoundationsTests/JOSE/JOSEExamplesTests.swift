import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("Examples of the RFCs", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct JOSEExamplesTests {
    @Test("RFC 7515, appendix A: both tokens verify and give the stated payload")
    func rfc7515() throws {
        for entry in try JSONValue.file("jose-rfc/jws.json").objects("cases") {
            let members = try #require(try entry["key"]?.asObject())
            let key = try JWK(.object(members.withoutPrivateMembers))
            let verified = try CompactJWS(parsing: entry.string("jws")).verified(by: key)
            #expect(try verified.payload == Array(entry.string("payload_utf8").utf8))
        }
    }

    @Test("RFC 7638: thumbprints, whatever else the key says about itself")
    func rfc7638() throws {
        for entry in try JSONValue.file("jose-rfc/thumbprint.json").objects("cases") {
            var members = try #require(try entry["key"]?.asObject())
            #expect(try JWKThumbprint(of: JWK(.object(members))).text == entry.string("sha256_b64url"))
            members.append("kid", .string("anything"))
            members.append("unknown", .integer(1))
            #expect(try JWKThumbprint(of: JWK(.object(members))).text == entry.string("sha256_b64url"))
        }
    }

    @Test("RFC 7520, 3: public keys of our kinds are read, private, symmetric and P-521 keys are refused")
    func cookbookKeys() throws {
        let expectations: [String: JOSEError?] = [
            "jwk-3_1.ec_public_key.json": .unsupportedKey,
            "jwk-3_2.ec_private_key.json": .privateKeyMaterial,
            "jwk-3_3.rsa_public_key.json": nil,
            "jwk-3_4.rsa_private_key.json": .privateKeyMaterial,
            "jwk-3_5.symmetric_key_mac_computation.json": .privateKeyMaterial,
            "jwk-3_6.symmetric_key_encryption.json": .privateKeyMaterial,
        ]
        #expect(try VectorFolder.files(in: "jose-cookbook", prefix: "jwk-") == expectations.keys.sorted())
        for (file, expected) in expectations {
            let text = try VectorFolder.bytes(of: "jose-cookbook/\(file)")
            if let expected {
                #expect(throws: expected, "\(file)") { try JWK(json: text) }
            } else {
                let key = try JWK(json: text)
                #expect(try JWK(json: key.json).material == key.material)
                #expect(try key.verificationAlgorithm() == .rs256)
            }
        }
    }

    @Test("RFC 7520, 4: RS256 verifies, every other algorithm and serialization is refused")
    func cookbookSignatures() throws {
        let files = try VectorFolder.files(in: "jose-cookbook", prefix: "jws-")
        #expect(!files.isEmpty)
        for file in files {
            let document = try JSONValue.file("jose-cookbook/\(file)")
            let output = try #require(try document["output"]?.asObject())
            let input = try #require(try document["input"]?.asObject())
            for form in output.members where form.name != "compact" {
                let text = JSONWriter.text(form.value)
                #expect(throws: JOSEError.malformedToken, "\(file) \(form.name)") { try CompactJWS(parsing: text) }
            }
            guard let compact = try output.optionalString("compact") else { continue }
            guard try input.optionalString("alg") == "RS256" else {
                #expect(throws: JOSEError.self, "\(file)") { try CompactJWS(parsing: compact) }
                continue
            }
            let key = try #require(try input["key"]?.asObject())
            let token = try CompactJWS(parsing: compact)
            let verified = try token.verified(by: JWK(.object(key.withoutPrivateMembers)))
            #expect(try verified.payload == Array(input.string("payload").utf8))
        }
    }
}
