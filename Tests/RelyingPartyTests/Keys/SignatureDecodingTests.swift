import Testing
import UAF

@testable import RelyingParty

@Suite("FIDO Registry 3.6.1: signature encodings")
struct SignatureDecodingTests {
    private static let ecdsa = try? SignatureScheme(.secp256r1ECDSASHA256DER)
    private static let rsa = try? SignatureScheme(.rsaPKCS1SHA256DER)
    private let octets = [UInt8](repeating: 0x42, count: 256)

    @Test("Two integers become r and s of 32 bytes each")
    func twoIntegers() throws {
        let plain = try decode(DER.element(0x30, DER.integer([0x80, 1]) + DER.integer([7])))
        #expect(plain.count == 64)
        #expect(Array(plain[30..<32]) == [0x80, 1])
        #expect(plain[63] == 7)
        #expect(plain.reduce(0) { $0 + Int($1) } == 0x80 + 1 + 7)
    }

    @Test(
        "Anything but the distinguished encoding is refused",
        arguments: [
            [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00],
            [0x30, 0x81, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
            [0x30, 0x07, 0x02, 0x02, 0x00, 0x01, 0x02, 0x01, 0x01],
            [0x30, 0x06, 0x02, 0x01, 0x81, 0x02, 0x01, 0x01],
            [0x30, 0x05, 0x02, 0x00, 0x02, 0x01, 0x01],
            [0x30, 0x80, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00, 0x00],
            [0x31, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
            [0x30, 0x09, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
            [0x30, 0x03, 0x02, 0x01, 0x01],
            [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01],
            [0x30, 0x84, 0x00, 0x00, 0x00, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01],
            [],
        ] as [[UInt8]])
    func malformed(_ signature: [UInt8]) {
        #expect(throws: SignatureRefusal.malformed) { _ = try decode(signature) }
    }

    @Test("Integers longer than 32 bytes are refused")
    func tooLong() {
        let long = DER.integer([1] + [UInt8](repeating: 0, count: 32))
        #expect(throws: SignatureRefusal.malformed) { _ = try decode(DER.element(0x30, long + DER.integer([1]))) }
        #expect(throws: SignatureRefusal.malformed) { _ = try decode(DER.element(0x30, DER.integer([1]) + long)) }
    }

    @Test("An RSA signature in an octet string of 256 bytes is taken out")
    func octetString() throws {
        let scheme = try #require(Self.rsa)
        let wrapped = DER.element(0x04, octets)
        #expect(wrapped.prefix(4) == [0x04, 0x82, 0x01, 0x00])
        #expect(Array(try SignatureDecoding.fixedLength(wrapped[...], scheme: scheme)) == octets)
        for spoiled in [octets, DER.element(0x03, octets), wrapped + [0], DER.element(0x04, octets.dropLast())] {
            #expect(throws: SignatureRefusal.malformed) {
                _ = try SignatureDecoding.fixedLength(spoiled[...], scheme: scheme)
            }
        }
    }

    @Test("Raw signatures must have their exact length")
    func raw() throws {
        let ecdsa = try SignatureScheme(.secp256r1ECDSASHA256Raw)
        let rsa = try SignatureScheme(.rsassaPSSSHA256Raw)
        _ = try SignatureDecoding.fixedLength(octets.prefix(64), scheme: ecdsa)
        _ = try SignatureDecoding.fixedLength(octets[...], scheme: rsa)
        for count in [0, 63, 65] {
            #expect(throws: SignatureRefusal.malformed) {
                _ = try SignatureDecoding.fixedLength(octets.prefix(count), scheme: ecdsa)
            }
        }
        #expect(throws: SignatureRefusal.malformed) {
            _ = try SignatureDecoding.fixedLength(octets.prefix(255), scheme: rsa)
        }
    }

    private func decode(_ signature: [UInt8]) throws -> [UInt8] {
        Array(try SignatureDecoding.fixedLength(signature[...], scheme: try #require(Self.ecdsa)))
    }
}
