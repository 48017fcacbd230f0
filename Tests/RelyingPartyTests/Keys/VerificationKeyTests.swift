import Crypto
import CryptoExtras
import Testing
import UAF

@testable import RelyingParty

@Suite("FIDO Registry 3.6.2: the four public key formats")
struct VerificationKeyTests {
    private static let p256 = P256.Signing.PrivateKey().publicKey
    private static let rsa: (modulus: [UInt8], exponent: [UInt8]) = {
        var modulus = [UInt8](repeating: 0xA5, count: 256)
        modulus[255] = 0x0B
        return (modulus, [0x01, 0x00, 0x01])
    }()

    private static let rsaIdentifier = DER.element(
        0x30, [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00])

    // MARK: - Elliptic curves

    @Test("A P-256 key is read as a point and as SubjectPublicKeyInfo")
    func p256() throws {
        _ = try read(Array(Self.p256.x963Representation), .eccX962Raw, .secp256r1ECDSASHA256Raw)
        _ = try read(Array(Self.p256.derRepresentation), .eccX962DER, .secp256r1ECDSASHA256DER)
    }

    @Test("Bytes that do not have the declared format are refused")
    func otherFormat() {
        #expect(throws: VerificationKeyError.malformed) {
            _ = try read(Array(Self.p256.x963Representation), .eccX962DER, .secp256r1ECDSASHA256DER)
        }
        #expect(throws: VerificationKeyError.malformed) {
            _ = try read(Array(Self.p256.derRepresentation), .eccX962Raw, .secp256r1ECDSASHA256DER)
        }
        #expect(throws: VerificationKeyError.malformed) { _ = try read([], .eccX962Raw, .secp256r1ECDSASHA256DER) }
    }

    @Test("Compressed and hybrid points are refused")
    func otherPointForms() {
        let point = Array(Self.p256.x963Representation)
        let parity = point[64] & 1
        #expect(throws: VerificationKeyError.malformed) {
            _ = try read(Array(Self.p256.compressedRepresentation), .eccX962Raw, .secp256r1ECDSASHA256DER)
        }
        #expect(throws: VerificationKeyError.malformed) {
            _ = try read([0x06 | parity] + point.dropFirst(), .eccX962Raw, .secp256r1ECDSASHA256DER)
        }
        #expect(throws: VerificationKeyError.malformed) {
            _ = try read(point + [0], .eccX962Raw, .secp256r1ECDSASHA256DER)
        }
    }

    @Test("A point beside the curve is refused", arguments: [UInt8(1), 2, 64])
    func offCurve(flip: UInt8) {
        var point = Array(Self.p256.x963Representation)
        point[64] ^= flip
        #expect(throws: VerificationKeyError.notOnCurve) {
            _ = try read(point, .eccX962Raw, .secp256r1ECDSASHA256DER)
        }
        #expect(throws: VerificationKeyError.notOnCurve) {
            _ = try read(point, .eccX962Raw, .secp256k1ECDSASHA256DER)
        }
    }

    @Test("A key on another curve than the algorithm's is refused")
    func foreignCurve() {
        #expect(throws: VerificationKeyError.foreignCurve) {
            _ = try read(Array(Self.p256.derRepresentation), .eccX962DER, .secp256k1ECDSASHA256DER)
        }
        #expect(throws: VerificationKeyError.notOnCurve) {
            _ = try read(Array(Self.p256.x963Representation), .eccX962Raw, .secp256k1ECDSASHA256Raw)
        }
    }

    @Test("Every change of a byte before the point of a SubjectPublicKeyInfo is refused")
    func spoiledPrefix() {
        let octets = Array(Self.p256.derRepresentation)
        for offset in 0..<(octets.count - 65) {
            var spoiled = octets
            spoiled[offset] ^= 0x01
            #expect(throws: VerificationKeyError.self, "offset \(offset)") {
                _ = try read(spoiled, .eccX962DER, .secp256r1ECDSASHA256DER)
            }
        }
    }

    // MARK: - RSA

    @Test("An RSA key is read as modulus and exponent, and as RSAPublicKey of PKCS #1")
    func rsa() throws {
        _ = try read(Self.rsa.modulus + Self.rsa.exponent, .rsa2048Raw, .rsassaPSSSHA256Raw)
        _ = try read(Self.pkcs1(Self.rsa.modulus, Self.rsa.exponent), .rsa2048DER, .rsaPKCS1SHA256DER)
    }

    @Test("SubjectPublicKeyInfo passes under ALG_KEY_RSA_2048_DER only with the lenient switch")
    func rsaSubjectPublicKeyInfo() throws {
        let key = Self.pkcs1(Self.rsa.modulus, Self.rsa.exponent)
        let info = DER.element(0x30, Self.rsaIdentifier + DER.element(0x03, [0] + key))
        _ = try read(info, .rsa2048DER, .rsaPKCS1SHA256DER, tolerance: .acceptsSubjectPublicKeyInfo)
        #expect(throws: VerificationKeyError.malformed) { _ = try read(info, .rsa2048DER, .rsaPKCS1SHA256DER) }
        let unused = DER.element(0x30, Self.rsaIdentifier + DER.element(0x03, [1] + key))
        #expect(throws: VerificationKeyError.malformed) {
            _ = try read(unused, .rsa2048DER, .rsaPKCS1SHA256DER, tolerance: .acceptsSubjectPublicKeyInfo)
        }
    }

    @Test("A modulus of another size than 2048 bits, or an even one, is refused")
    func modulus() {
        var small = Self.rsa.modulus
        small[0] = 0x7F
        var even = Self.rsa.modulus
        even[255] = 0x0A
        for modulus in [small, even, Array(Self.rsa.modulus.dropLast()), [0xA5] + Self.rsa.modulus] {
            #expect(throws: VerificationKeyError.unacceptableModulus) {
                _ = try read(Self.pkcs1(modulus, Self.rsa.exponent), .rsa2048DER, .rsaPKCS1SHA256DER)
            }
        }
        #expect(throws: VerificationKeyError.unacceptableModulus) {
            _ = try read(small + Self.rsa.exponent, .rsa2048Raw, .rsaPKCS1SHA256DER)
        }
    }

    @Test(
        "An exponent that is even, below 65537 or huge is refused",
        arguments: [[], [3], [0xFF, 0xFF], [0x01, 0x00, 0x00], [1, 0, 0, 0, 0, 1]] as [[UInt8]])
    func exponent(_ exponent: [UInt8]) {
        #expect(throws: VerificationKeyError.unacceptableExponent) {
            _ = try read(Self.pkcs1(Self.rsa.modulus, exponent), .rsa2048DER, .rsaPKCS1SHA256DER)
        }
        #expect(throws: VerificationKeyError.self) {
            _ = try read(Self.rsa.modulus + exponent, .rsa2048Raw, .rsaPKCS1SHA256DER)
        }
    }

    @Test("A raw exponent with a leading zero byte is refused")
    func paddedExponent() {
        #expect(throws: VerificationKeyError.unacceptableExponent) {
            _ = try read(Self.rsa.modulus + [0x00, 0x01, 0x00, 0x01], .rsa2048Raw, .rsaPKCS1SHA256DER)
        }
    }

    // MARK: - Families

    @Test("A format of the other family is refused")
    func families() {
        #expect(throws: VerificationKeyError.formatDoesNotFitAlgorithm) {
            _ = try read(Array(Self.p256.x963Representation), .eccX962Raw, .rsaPKCS1SHA256DER)
        }
        #expect(throws: VerificationKeyError.formatDoesNotFitAlgorithm) {
            _ = try read(Self.rsa.modulus + Self.rsa.exponent, .rsa2048Raw, .secp256r1ECDSASHA256Raw)
        }
        #expect(throws: VerificationKeyError.formatDoesNotFitAlgorithm) {
            _ = try read([4], PublicKeyFormat(rawValue: 0x0104), .secp256r1ECDSASHA256Raw)
        }
    }

    @Test("SM2 and unknown algorithms are not supported", arguments: [0, 7, 10, 0xFFFF] as [UInt16])
    func unsupported(algorithm: UInt16) {
        #expect(throws: VerificationKeyError.unsupportedAlgorithm) {
            _ = try read(
                Array(Self.p256.x963Representation), .eccX962Raw, AuthenticationAlgorithm(rawValue: algorithm))
        }
    }

    // MARK: - Steps

    private static func pkcs1(_ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        DER.element(0x30, DER.integer(modulus) + DER.integer(exponent))
    }

    private func read(
        _ octets: [UInt8], _ format: PublicKeyFormat, _ algorithm: AuthenticationAlgorithm,
        tolerance: VerificationKey.Tolerance = .strict
    ) throws -> VerificationKey {
        try VerificationKey(
            octets, format: format, algorithm: algorithm, tolerance: tolerance)
    }
}
