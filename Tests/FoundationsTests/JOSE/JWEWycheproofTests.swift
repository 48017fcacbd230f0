import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("Wycheproof, tokens", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct JWEWycheproofTests {
    /// Opens with the key of a group, accepting the one algorithm that the key names.
    private func open(_ token: String, with key: JSONObject) throws -> [UInt8] {
        guard try key.string("kty") == "EC" else {
            // There is no receiver for keys of RSA and keys that both sides share: no token of theirs is even read.
            _ = try CompactJWE(parsing: token)
            throw JOSEError.unsupportedKey
        }
        let acceptance = try JWEAcceptance(holderOf: JWK(.object(key.withoutPrivateMembers)))
        return try JWEReceiver(privateJWK: key).open(token, accepting: acceptance)
    }

    private func isOffered(_ key: JSONObject, _ entry: JSONObject) throws -> Bool {
        let (algorithm, encryption) = (try key.string("alg"), try entry.string("enc"))
        return ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW"].contains(algorithm)
            && ContentEncryption(rawValue: encryption) != nil
    }

    @Test("json_web_encryption: our algorithms as stated, all others refused")
    func encryption() throws {
        for group in try JSONValue.file("wycheproof/json_web_encryption_test.json").objects("testGroups") {
            let key = try group.object("private")
            for entry in try group.objects("tests") {
                let name = "\(try group.string("comment")) \(try entry.integer("tcId", as: Int.self))"
                let token = try entry.string("jwe")
                switch try entry.string("result") {
                case "valid" where try isOffered(key, entry):
                    #expect(try open(token, with: key) == Hex.decode(entry.string("pt")), "\(name)")
                case "valid", "invalid": #expect(throws: JOSEError.self, "\(name)") { try open(token, with: key) }
                case let other: Issue.record("unknown result \(other) of \(name)")
                }
            }
        }
    }

    /// The keys that a group trusts; sets that hold a symmetric key have none that we read.
    private func keys(of group: JSONObject) throws -> JWKS {
        let document = try group["public"]?.asObject() ?? group.object("private")
        if document["keys"] != nil { return try JWKS(json: JSONWriter.write(.object(document))) }
        return try JWKS([JWK(.object(document))])
    }

    @Test("json_web_crypto: signatures and encryption with our algorithms as stated, all others refused")
    func crypto() throws {
        for group in try JSONValue.file("wycheproof/json_web_crypto_test.json").objects("testGroups") {
            for entry in try group.objects("tests") {
                let name = "\(try group.string("comment")) \(try entry.integer("tcId", as: Int.self))"
                let read: () throws -> [UInt8] = {
                    guard let token = entry["jwe"] else {
                        return try CompactJWS(parsing: entry.string("jws")).verified(by: keys(of: group)).payload
                    }
                    // One token is in the JSON serialization.
                    let text = if case .string(let text) = token { text } else { JSONWriter.text(token) }
                    return try open(text, with: group.object("private"))
                }
                switch try entry.string("result") {
                case "valid" where try isSignedByOurs(group): #expect(throws: Never.self, "\(name)") { try read() }
                case "valid", "invalid": #expect(throws: JOSEError.self, "\(name)") { try read() }
                case let other: Issue.record("unknown result \(other) of \(name)")
                }
            }
        }
    }

    private func isSignedByOurs(_ group: JSONObject) throws -> Bool {
        ["ES256", "RS256"].contains(try group.object("private").optionalString("alg"))
    }
}
