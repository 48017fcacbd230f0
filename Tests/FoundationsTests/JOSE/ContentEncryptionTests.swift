import Crypto
import CryptoExtras
import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("Wycheproof, ciphers of contents", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct ContentEncryptionTests {
    /// One case: the cipher, or none when the group's sizes are not of one that we offer.
    private struct Case {
        let name: String
        let result: String
        let key: SymmetricKey
        let nonce: [UInt8]
        let additional: [UInt8]
        let plaintext: [UInt8]
        let ciphertext: [UInt8]
        let tag: [UInt8]

        init(_ entry: JSONObject) throws {
            name = try "\(entry.integer("tcId", as: Int.self)): \(entry.string("comment"))"
            result = try entry.string("result")
            key = SymmetricKey(data: try Hex.decode(entry.string("key")))
            nonce = try Hex.decode(entry.string("iv"))
            additional = try Hex.decode(entry.optionalString("aad") ?? "")
            plaintext = try Hex.decode(entry.string("msg"))
            ciphertext = try Hex.decode(entry.string("ct"))
            tag = try Hex.decode(entry.optionalString("tag") ?? "")
        }

        var sealed: SealedContent { SealedContent(nonce: nonce, ciphertext: ciphertext, tag: tag) }
    }

    private func cases(_ file: String) throws -> [Case] {
        try JSONValue.file("wycheproof/\(file)_test.json").objects("testGroups").flatMap { group in
            try group.objects("tests").map { try Case($0) }
        }
    }

    /// Seals and opens what is valid, bit by bit, and has everything else refused.
    private func judge(_ item: Case, _ cipher: ContentEncryption?) throws {
        switch item.result {
        case "valid":
            guard let cipher else { return try refuse(item) }
            let sealed = try cipher.seal(
                item.plaintext, with: item.key, nonce: item.nonce, authenticating: item.additional)
            #expect(sealed == item.sealed, "\(item.name)")
            let opened = try cipher.open(item.sealed, with: item.key, authenticating: item.additional)
            #expect(opened == item.plaintext, "\(item.name)")
        case "invalid": try refuse(item)
        case let other: Issue.record("unknown result \(other) of \(item.name)")
        }
    }

    /// Every cipher refuses the case.
    private func refuse(_ item: Case) throws {
        for cipher in ContentEncryption.allCases {
            #expect(throws: JOSEError.undecryptable, "\(item.name)") {
                try cipher.open(item.sealed, with: item.key, authenticating: item.additional)
            }
        }
    }

    @Test("aes_gcm: 96-bit nonces and 128-bit or 256-bit keys as stated, all other sizes are refused")
    func galoisCounterMode() throws {
        for item in try cases("aes_gcm") {
            let cipher: ContentEncryption? =
                switch (item.key.bitCount, item.nonce.count) {
                case (128, 12): .a128GCM
                case (256, 12): .a256GCM
                default: nil
                }
            try judge(item, cipher)
        }
    }

    @Test("a128cbc_hs256: as stated")
    func chainingWithCode() throws {
        for item in try cases("a128cbc_hs256") { try judge(item, .a128CBCHS256) }
    }

    @Test("aes_cbc_pkcs5: under a right tag a wrong padding gives the same error as a wrong tag")
    func padding() throws {
        for item in try cases("aes_cbc_pkcs5") {
            guard let (cipher, key) = authenticated(item.key) else {
                try refuse(item)
                continue
            }
            let tag = tag(of: item, key: key, cipher: cipher)
            let sealed = SealedContent(nonce: item.nonce, ciphertext: item.ciphertext, tag: tag)
            switch item.result {
            case "valid":
                #expect(try cipher.open(sealed, with: key, authenticating: []) == item.plaintext, "\(item.name)")
                let again = try cipher.seal(item.plaintext, with: key, nonce: item.nonce, authenticating: [])
                #expect(again == sealed, "\(item.name)")
            case "invalid":
                #expect(throws: JOSEError.undecryptable, "\(item.name)") {
                    try cipher.open(sealed, with: key, authenticating: [])
                }
            case let other: Issue.record("unknown result \(other) of \(item.name)")
            }
            let wrong = SealedContent(nonce: item.nonce, ciphertext: item.ciphertext, tag: tag.map { $0 ^ 1 })
            #expect(throws: JOSEError.undecryptable, "\(item.name)") {
                try cipher.open(wrong, with: key, authenticating: [])
            }
        }
    }

    /// The composite key whose second half is `key`; nil for 192 bits, which we do not offer.
    private func authenticated(_ key: SymmetricKey) -> (ContentEncryption, SymmetricKey)? {
        let half = key.withUnsafeBytes { Array($0) }
        let whole = SymmetricKey(data: [UInt8](repeating: 7, count: half.count) + half)
        switch key.bitCount {
        case 128: return (.a128CBCHS256, whole)
        case 256: return (.a256CBCHS512, whole)
        default: return nil
        }
    }

    /// The tag by the letter of RFC 7518, 5.2.2.1, for an empty header.
    private func tag(of item: Case, key: SymmetricKey, cipher: ContentEncryption) -> [UInt8] {
        let codeKey = SymmetricKey(data: key.withUnsafeBytes { Array($0.prefix($0.count / 2)) })
        let message = item.nonce + item.ciphertext + [UInt8](repeating: 0, count: 8)
        return cipher == .a128CBCHS256
            ? Array(HMAC<SHA256>.authenticationCode(for: message, using: codeKey).prefix(16))
            : Array(HMAC<SHA512>.authenticationCode(for: message, using: codeKey).prefix(32))
    }

    @Test("hmac_sha256: the code that tags are made of, as stated")
    func code() throws {
        for group in try JSONValue.file("wycheproof/hmac_sha256_test.json").objects("testGroups") {
            let byteCount = try group.integer("tagSize", as: Int.self) / 8
            for entry in try group.objects("tests") {
                let key = SymmetricKey(data: try Hex.decode(entry.string("key")))
                let code = HMAC<SHA256>.authenticationCode(for: try Hex.decode(entry.string("msg")), using: key)
                let isRight = try Array(code.prefix(byteCount)) == Hex.decode(entry.string("tag"))
                let (result, name) = (try entry.string("result"), try entry.integer("tcId", as: Int.self))
                #expect(["valid", "invalid"].contains(result), "\(name)")
                #expect(isRight == (result == "valid"), "\(name)")
            }
        }
    }
}
