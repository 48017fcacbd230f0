import Crypto
import CryptoExtras
import JOSE
import Octets
import Testing

@Suite("Sealing and opening (RFC 7516)")
struct JWETests {
    private static let agreements: [JWEAlgorithm] = [.ecdhES, .ecdhESA128KW, .ecdhESA256KW]
    private static let combinations = agreements.flatMap { algorithm in
        ContentEncryption.allCases.map { (algorithm, $0) }
    }

    private let receiver = JWEReceiver()
    private let plaintext = Array(#"{"token":"b4b07559","redeem_url":"https://a.example/ü"}"#.utf8)

    /// The key of the receiver without a word about its use, for every algorithm.
    private var anyUseKey: JWK {
        get throws { try JWK(json: JWKText.withoutUse(receiver.publicKey)) }
    }

    @Test("Every algorithm with every cipher gives back the plaintext, of any length", arguments: combinations)
    func roundTrip(algorithm: JWEAlgorithm, encryption: ContentEncryption) throws {
        for count in [0, 1, 15, 16, 17, 1000] {
            let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let token = try CompactJWE.seal(plaintext, to: anyUseKey, algorithm: algorithm, encryption: encryption)
            #expect(try receiver.open(token) == plaintext)
        }
    }

    @Test("Unless told otherwise: ECDH-ES+A256KW, A256GCM, the thumbprint as identifier, no content type")
    func defaults() throws {
        let key = try receiver.publicKey
        let header = try CompactJWE(parsing: CompactJWE.seal(plaintext, to: key)).header
        #expect(header.algorithm == .ecdhESA256KW && header.encryption == .a256GCM)
        #expect(header.keyID == JWKThumbprint(of: key).text)
        #expect(header.contentType == nil && header.type == nil && header.partyU.isEmpty && header.partyV.isEmpty)
    }

    @Test("The identifier asked for wins over the key's own, which wins over the thumbprint")
    func keyIdentifiers() throws {
        let named = try JWK(encrypting: receiver.publicKey.material, keyID: "own")
        #expect(try CompactJWE(parsing: CompactJWE.seal([], to: named)).keyID == "own")
        let token = try CompactJWE.seal([], to: named, contentType: "application/json", keyID: "target")
        #expect(try CompactJWE(parsing: token).keyID == "target")
        #expect(try CompactJWE(parsing: token).header.contentType == "application/json")
    }

    @Test("No two tokens share a key, an initialization vector or a ciphertext", arguments: combinations)
    func freshness(algorithm: JWEAlgorithm, encryption: ContentEncryption) throws {
        let tokens = try (0..<8).map { _ in
            try CompactJWE.seal(plaintext, to: anyUseKey, algorithm: algorithm, encryption: encryption)
        }
        #expect(Set(try tokens.map { try CompactJWE(parsing: $0).ephemeralKey }).count == tokens.count)
        for part in [2, 3, 4] {
            let parts = tokens.map { $0.split(separator: ".", omittingEmptySubsequences: false)[part] }
            #expect(Set(parts).count == tokens.count)
        }
    }

    @Test("A byte changed anywhere is refused, behind the header with one error", arguments: combinations)
    func everyByte(algorithm: JWEAlgorithm, encryption: ContentEncryption) throws {
        let text = try CompactJWE.seal([1, 2, 3], to: anyUseKey, algorithm: algorithm, encryption: encryption)
        let secret = try receiver.secret(with: CompactJWE(parsing: text).ephemeralKey)
        let octets = Array(text.utf8)
        for position in octets.indices {
            // One bit, and another letter of the alphabet, so that what is decoded changes.
            for change in [octets[position] ^ 0x01, UInt8(ascii: octets[position] == UInt8(ascii: "g") ? "Q" : "g")] {
                var spoiled = octets
                spoiled[position] = change
                let text = String(decoding: spoiled, as: UTF8.self)
                guard let token = try? CompactJWE(parsing: text) else { continue }
                // Whatever still parses is refused at one place, with one error.
                #expect(throws: JOSEError.undecryptable, "\(position)") { try token.open(agreedSecret: secret) }
            }
        }
    }

    @Test("A token cut off at any byte, or with bytes behind it, is refused")
    func everyTruncation() throws {
        let text = try CompactJWE.seal([], to: receiver.publicKey)
        for count in 0..<text.utf8.count {
            #expect(throws: JOSEError.self, "\(count)") { try receiver.open(String(text.prefix(count))) }
        }
        for tail in ["A", ".", "=", "\n", " "] {
            #expect(throws: JOSEError.self) { try receiver.open(text + tail) }
        }
    }

    @Test("Parts of two tokens do not fit together", arguments: combinations)
    func exchangedParts(algorithm: JWEAlgorithm, encryption: ContentEncryption) throws {
        let tokens = try (0..<2).map { _ in
            try CompactJWE.seal(plaintext, to: anyUseKey, algorithm: algorithm, encryption: encryption)
                .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        }
        for part in 0..<5 where tokens[0][part] != tokens[1][part] {
            var mixed = tokens[0]
            mixed[part] = tokens[1][part]
            #expect(throws: JOSEError.undecryptable, "\(part)") { try receiver.open(mixed.joined(separator: ".")) }
        }
    }

    @Test("Another receiver, another secret or one of another length opens nothing", arguments: combinations)
    func otherSecrets(algorithm: JWEAlgorithm, encryption: ContentEncryption) throws {
        let text = try CompactJWE.seal(plaintext, to: anyUseKey, algorithm: algorithm, encryption: encryption)
        #expect(throws: JOSEError.undecryptable) { try JWEReceiver().open(text) }
        let token = try CompactJWE(parsing: text)
        for count in [0, 31, 32, 33, 64] {
            let secret = SecretOctets(copying: [UInt8](repeating: 0, count: count))
            #expect(throws: JOSEError.undecryptable, "\(count)") { try token.open(agreedSecret: secret) }
        }
    }

    @Test("What is made can be read up to the limit; what is longer is not made")
    func limit() throws {
        let key = try receiver.publicKey
        let long = [UInt8](repeating: 0x20, count: CompactJWE.maximumByteCount / 4 * 3 - 1024)
        #expect(try receiver.open(CompactJWE.seal(long, to: key)) == long)
        let tooLong = [UInt8](repeating: 0x20, count: CompactJWE.maximumByteCount / 4 * 3)
        #expect(throws: JOSEError.oversizedPlaintext) { try CompactJWE.seal(tooLong, to: key) }
        let text = String(repeating: "A", count: CompactJWE.maximumByteCount + 1)
        #expect(throws: JOSEError.malformedToken) { try CompactJWE(parsing: text) }
    }

    // MARK: - RSA, for older phones

    @Test("RSA-OAEP-256 seals to older phones, with A256CBC-HS512 unless told otherwise", arguments: [2048, 3072])
    func rsa(bitCount: Int) throws {
        let privateKey = try _RSA.Encryption.PrivateKey(keySize: .init(bitCount: bitCount))
        let text = try CompactJWE.seal(plaintext, to: JWKText.key(of: privateKey), keyID: "old")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let header = try JWEHeader(json: Base64URL.decode(parts[0]))
        #expect(header.algorithm == .rsaOAEP256 && header.encryption == .a256CBCHS512 && header.keyID == "old")
        #expect(header.ephemeralKey == nil)
        let contentKey = SymmetricKey(
            data: try privateKey.decrypt(Base64URL.decode(parts[1]), padding: .PKCS1_OAEP_SHA256))
        let content = SealedContent(
            nonce: try Base64URL.decode(parts[2]), ciphertext: try Base64URL.decode(parts[3]),
            tag: try Base64URL.decode(parts[4]))
        #expect(
            try header.encryption.open(content, with: contentKey, authenticating: Array(parts[0].utf8)) == plaintext)
    }

    @Test("Tokens for RSA keys are never opened, whatever the receiver accepts")
    func rsaIsNotOpened() throws {
        let privateKey = try _RSA.Encryption.PrivateKey(keySize: .bits2048)
        let text = try CompactJWE.seal(plaintext, to: JWKText.key(of: privateKey))
        #expect(throws: JOSEError.algorithmMismatch) { try CompactJWE(parsing: text) }
        let acceptance = JWEAcceptance(algorithms: Set(JWEAlgorithm.allCases))
        #expect(throws: JOSEError.unsupportedAlgorithm) { try CompactJWE(parsing: text, accepting: acceptance) }
    }
}
