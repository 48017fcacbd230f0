import Crypto
import CryptoExtras
import JOSE
import Octets
import StrictJSON
import Testing

@Suite("Exchange with an independent library", .enabled(if: ForeignJOSE.isPresent, ForeignJOSE.absence))
struct JOSEInteropTests {
    /// None is empty: the other library takes an empty plaintext for a failure.
    private static let plaintexts: [[UInt8]] = [[0], Array("{}".utf8), (0..<300).map { UInt8(truncatingIfNeeded: $0) }]
    private let receiver = JWEReceiver()

    // MARK: - Ours, read by the other

    @Test("Every token that we make is read by the other library: JWE, JWS and thumbprints")
    func oursIsRead() throws {
        let (sealed, signed) = (try sealedByUs(), try signedByUs())
        let keys = try [receiver.publicKey, JWKText.key(of: _RSA.Encryption.PrivateKey(keySize: .bits2048))]
        let answer = try ForeignJOSE.answer(to: [
            "open": .array(sealed), "verify": .array(signed), "seal": .array([]), "sign": .array([]),
            "thumbprints": .array(
                keys.map { key in
                    .object(["key": .object(key.members), "thumbprint": .string(JWKThumbprint(of: key).text)])
                }),
        ])
        #expect(try answer.integer("read", as: Int.self) == sealed.count + signed.count + keys.count)
    }

    private func sealedByUs() throws -> [JSONValue] {
        let privateKey = try _RSA.Encryption.PrivateKey(keySize: .bits2048)
        let rsa: JSONObject = ["pem": .string(privateKey.pemRepresentation)]
        let point = try JWK(json: JWKText.withoutUse(receiver.publicKey))
        let own = JSONObject(
            distinct: point.members.members + [
                .init("d", .string(Base64URL.encode(receiver.privateKey.rawRepresentation)))
            ])
        var entries: [JSONValue] = []
        for encryption in ContentEncryption.allCases {
            for algorithm in JWEAlgorithm.allCases {
                for plaintext in Self.plaintexts {
                    let isRSA = algorithm == .rsaOAEP256
                    let token = try CompactJWE.seal(
                        plaintext, to: isRSA ? JWKText.key(of: privateKey) : point, algorithm: algorithm,
                        encryption: encryption, contentType: "application/json")
                    let id = "\(algorithm.rawValue)/\(encryption.rawValue)/\(plaintext.count)"
                    entries.append(entry(id, token, isRSA ? rsa : own, plaintext))
                }
            }
        }
        return entries
    }

    private func signedByUs() throws -> [JSONValue] {
        let point = P256.Signing.PrivateKey()
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try rsa.publicKey.getKeyPrimitives()
        let pointKey = try JWK(verifying: JWK.Material(p256Point: Array(point.publicKey.x963Representation)))
        let rsaKey = try JWK(
            verifying: .rsa(modulus: Array(numbers.modulus), exponent: Array(numbers.publicExponent)))
        return try Self.plaintexts.flatMap { payload in
            let elliptic = UnsignedJWS(
                header: JOSEHeader(algorithm: .es256, keyID: "k", type: "JOSE"), payload: payload)
            let other = UnsignedJWS(header: JOSEHeader(algorithm: .rs256), payload: payload)
            let signature = Array(try point.signature(for: elliptic.signingInput).rawRepresentation)
            let otherSignature = Array(
                try rsa.signature(for: other.signingInput, padding: .insecurePKCS1v1_5).rawRepresentation)
            return [
                entry("ES256", elliptic.signed(with: signature), pointKey.members, payload),
                entry("RS256", other.signed(with: otherSignature), rsaKey.members, payload),
            ]
        }
    }

    private func entry(_ id: String, _ token: String, _ key: JSONObject, _ plaintext: [UInt8]) -> JSONValue {
        .object([
            "id": .string(id), "token": .string(token), "key": .object(key),
            "plaintext": .string(Hex.encode(plaintext)),
        ])
    }

    // MARK: - Theirs, read by us

    @Test("Every token of our algorithms that the other library makes is read by us")
    func theirsIsRead() throws {
        var expected: [String: [UInt8]] = [:]
        var questions: [JSONValue] = []
        let key = try JWK(json: JWKText.withoutUse(receiver.publicKey)).members
        for encryption in ContentEncryption.allCases {
            for algorithm in [JWEAlgorithm.ecdhES, .ecdhESA128KW, .ecdhESA256KW] {
                for (index, plaintext) in Self.plaintexts.enumerated() {
                    let id = "\(algorithm.rawValue)/\(encryption.rawValue)/\(index)"
                    expected[id] = plaintext
                    questions.append(
                        .object([
                            "id": .string(id), "alg": .string(algorithm.rawValue), "key": .object(key),
                            "enc": .string(encryption.rawValue), "plaintext": .string(Hex.encode(plaintext)),
                            "kid": .string("target"), "apu": index == 1 ? .string("QWxpY2U") : nil,
                            "apv": index == 1 ? .string("Qm9i") : nil,
                        ]))
                }
            }
        }
        let payload = Array("signed elsewhere".utf8)
        let signing = ["ES256", "RS256"].map { name in
            JSONValue.object([
                "id": .string(name), "alg": .string(name), "plaintext": .string(Hex.encode(payload)),
            ])
        }
        // The other library refuses to end without having read something.
        let answer = try ForeignJOSE.answer(to: [
            "open": .array([]), "verify": .array(try signedByUs()), "thumbprints": .array([]),
            "seal": .array(questions), "sign": .array(signing),
        ])
        let sealed = try answer.object("sealed")
        #expect(sealed.members.count == expected.count)
        for (id, plaintext) in expected {
            let token = try sealed.string(id)
            #expect(try receiver.open(token) == plaintext, "\(id)")
            #expect(try CompactJWE(parsing: token).keyID == "target", "\(id)")
        }
        for member in try answer.object("signed").members {
            let made = try member.value.asObject()
            let verified = try CompactJWS(parsing: made.string("token")).verified(by: JWK(.object(made.object("key"))))
            #expect(verified.payload == payload, "\(member.name)")
        }
    }
}
