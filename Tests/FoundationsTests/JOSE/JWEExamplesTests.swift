import Crypto
import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("Examples of the RFCs, encryption", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct JWEExamplesTests {
    @Test("RFC 7518, appendix C: secret, other information and derived key, bit by bit, from both sides")
    func concatKDF() throws {
        let file = try JSONValue.file("jose-rfc/concat-kdf.json")
        let ephemeral = try file.object("ephemeral")
        let receiver = try file.object("static")
        let sender = EphemeralAgreement(privateKey: try JWEReceiver(privateJWK: ephemeral).privateKey)
        let byteCount = try file.integer("keydatalen", as: Int.self) / 8
        let otherInfo = ConcatKDF.otherInfo(
            algorithm: try file.string("enc"), partyU: Array(try file.string("apu_utf8").utf8),
            partyV: Array(try file.string("apv_utf8").utf8), keyByteCount: byteCount)
        #expect(try Hex.encode(otherInfo) == file.string("otherInfo_hex"))
        let secret = try sender.secret(with: JWK(.object(receiver.withoutPrivateMembers)))
        #expect(try secret.withUnsafeBytes { Hex.encode(Array($0)) } == file.string("z_hex"))
        let derived = secret.withUnsafeBytes {
            ConcatKDF.key(from: $0, otherInfo: otherInfo, byteCount: byteCount)
        }
        #expect(try derived.withUnsafeBytes { Base64URL.encode($0) } == file.string("derivedKey_b64url"))
        let point = try #require(try sender.publicKey.p256Point)
        let agreed = try JWEReceiver(privateJWK: receiver).secret(with: point)
        #expect(try agreed.withUnsafeBytes { Hex.encode(Array($0)) } == file.string("z_hex"))
    }

    @Test("RFC 7516, appendix A.3: keys that both sides share are refused, key wrap and content as stated")
    func rfc7516() throws {
        for entry in try JSONValue.file("jose-rfc/jwe.json").objects("cases") {
            let token = try entry.string("jwe")
            #expect(throws: JOSEError.unsupportedAlgorithm) { try CompactJWE(parsing: token) }
            let parts = token.split(separator: ".").map(String.init)
            let wrappingKey = SymmetricKey(data: try entry.object("key").octets("k"))
            let content = SealedContent(
                nonce: try Base64URL.decode(parts[2]), ciphertext: try Base64URL.decode(parts[3]),
                tag: try Base64URL.decode(parts[4]))
            let key = try KeyWrap.unwrap(Base64URL.decode(parts[1]), with: wrappingKey)
            let plaintext = try ContentEncryption.a128CBCHS256.open(
                content, with: key, authenticating: Array(parts[0].utf8))
            #expect(try plaintext == Array(entry.string("plaintext_utf8").utf8))
            let again = try ContentEncryption.a128CBCHS256.seal(
                plaintext, with: key, nonce: content.nonce, authenticating: Array(parts[0].utf8))
            #expect(again == content)
        }
    }

    /// Why a token of RFC 7520, 5 is not opened; nil for the one that is.
    private static let cookbook: [String: JOSEError?] = [
        "5_1": .unsupportedAlgorithm, "5_2": .unsupportedAlgorithm, "5_3": .refusedHeader, "5_4": .refusedHeader,
        "5_5": nil, "5_6": .unsupportedAlgorithm, "5_7": .refusedHeader, "5_8": .unsupportedAlgorithm,
        "5_9": .refusedHeader,
    ]

    @Test("RFC 7520, 5: ECDH-ES on P-256 opens, every other algorithm and serialization is refused")
    func cookbookTokens() throws {
        let files = try VectorFolder.files(in: "jose-cookbook", prefix: "jwe-")
        #expect(!files.isEmpty)
        for file in files {
            let document = try JSONValue.file("jose-cookbook/\(file)")
            let output = try document.object("output")
            for form in output.members where form.name != "compact" {
                let text = JSONWriter.text(form.value)
                #expect(throws: JOSEError.malformedToken, "\(file) \(form.name)") { try CompactJWE(parsing: text) }
            }
            guard let compact = try output.optionalString("compact") else { continue }
            let expected = try #require(Self.cookbook.first { file.hasPrefix("jwe-\($0.key).") }, "\(file)").value
            if let expected {
                #expect(throws: expected, "\(file)") { try CompactJWE(parsing: compact) }
            } else {
                let input = try document.object("input")
                let receiver = try JWEReceiver(privateJWK: input.object("key"))
                #expect(try receiver.open(compact) == Array(input.string("plaintext").utf8), "\(file)")
            }
        }
    }

    @Test("RFC 7520, 5: the same content key and initialization vector give the same bytes")
    func cookbookContents() throws {
        var count = 0
        for file in try VectorFolder.files(in: "jose-cookbook", prefix: "jwe-") {
            let document = try JSONValue.file("jose-cookbook/\(file)")
            let (input, generated) = (try document.object("input"), try document.object("generated"))
            // RFC 7520, 5.13 misspells the name of its cipher in the input, not in the header.
            let name = try input.string("enc").replacing("-H256", with: "-HS256")
            let cipher = try #require(ContentEncryption(rawValue: name), "\(file)")
            let stated = try document.object("encrypting_content")
            let key = try contentKey(generated, document, input)
            // The additional data of RFC 7516, 5.1, step 14; a compact token has only the header.
            let header = try stated.optionalString("protected_b64u") ?? ""
            let additional = try generated.optionalString("aad_b64u").map { ".\($0)" } ?? ""
            let plaintext =
                generated["plaintext_c"] == nil
                ? Array(try input.string("plaintext").utf8) : try generated.octets("plaintext_c")
            let sealed = try cipher.seal(
                plaintext, with: key, nonce: generated.octets("iv"), authenticating: Array((header + additional).utf8))
            #expect(try Base64URL.encode(sealed.ciphertext) == stated.string("ciphertext"), "\(file)")
            #expect(try Base64URL.encode(sealed.tag) == stated.string("tag"), "\(file)")
            count += 1
        }
        #expect(count > 0)
    }

    /// The stated content key; with direct agreement it is derived from the stated private keys and compared.
    private func contentKey(_ generated: JSONObject, _ document: JSONObject, _ input: JSONObject) throws -> SymmetricKey
    {
        if generated["cek"] != nil { return SymmetricKey(data: try generated.octets("cek")) }
        guard try input.string("alg") == "ECDH-ES" else {
            return SymmetricKey(data: try input.object("key").octets("k"))
        }
        let sender = EphemeralAgreement(
            privateKey: try JWEReceiver(privateJWK: document.object("encrypting_key").object("epk")).privateKey)
        let receiver = try JWK(.object(input.object("key").withoutPrivateMembers))
        let otherInfo = ConcatKDF.otherInfo(
            algorithm: try input.string("enc"), partyU: [], partyV: [], keyByteCount: 32)
        let key = try sender.secret(with: receiver).withUnsafeBytes {
            ConcatKDF.key(from: $0, otherInfo: otherInfo, byteCount: 32)
        }
        #expect(try key.withUnsafeBytes { Base64URL.encode($0) } == document.object("encrypting_key").string("cek"))
        return key
    }

    @Test("RFC 7520, 6: neither the PS256 token nor the RSA-OAEP token around it is read")
    func nested() throws {
        let document = try JSONValue.file("jose-cookbook/6.nesting_signatures_and_encryption.json")
        let signed = try document.object("sign").object("output").string("compact")
        let encrypted = try document.object("encrypt").object("output").string("compact")
        #expect(throws: JOSEError.unsupportedAlgorithm) { try CompactJWS(parsing: signed) }
        #expect(throws: JOSEError.unsupportedAlgorithm) { try CompactJWE(parsing: encrypted) }
    }
}
