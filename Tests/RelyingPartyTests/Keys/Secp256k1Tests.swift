import Crypto
import Octets
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("FIDO Registry 3.6.1, algorithms 5 and 6: secp256k1")
struct Secp256k1Tests {
    private static let order: [UInt8] =
        [UInt8](repeating: 0xFF, count: 15) + [
            0xFE, 0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B, 0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
        ]

    private let secret = [UInt8](repeating: 0x11, count: 32)
    private let message = Array("message".utf8)

    private func key(_ algorithm: AuthenticationAlgorithm) throws -> VerificationKey {
        try VerificationKey(
            try Secp256k1Signing.point(of: secret), format: .eccX962Raw, algorithm: algorithm)
    }

    private func signature() throws -> [UInt8] {
        try Secp256k1Signing.raw(Array(SHA256.hash(data: message)), secret: secret)
    }

    @Test("Both halves of the range of s are accepted")
    func highS() throws {
        let low = try signature()
        let high = Array(low.prefix(32)) + Self.difference(Self.order, Array(low.suffix(32)))
        try key(.secp256k1ECDSASHA256Raw).requireSignature(low[...], over: message[...])
        try key(.secp256k1ECDSASHA256Raw).requireSignature(high[...], over: message[...])
        let der = DER.element(0x30, DER.integer(Array(high.prefix(32))) + DER.integer(Array(high.suffix(32))))
        try key(.secp256k1ECDSASHA256DER).requireSignature(der[...], over: message[...])
    }

    @Test("r or s of zero, or not below the order, is refused")
    func range() throws {
        let good = try signature()
        let zero = [UInt8](repeating: 0, count: 32)
        let (r, s) = (Array(good.prefix(32)), Array(good.suffix(32)))
        for spoiled in [zero + s, r + zero, Self.order + s, r + Self.order] {
            #expect(throws: SignatureRefusal.wrong) {
                try key(.secp256k1ECDSASHA256Raw).requireSignature(spoiled[...], over: message[...])
            }
        }
    }

    @Test("Another message or another key is refused")
    func other() throws {
        let good = try signature()
        #expect(throws: SignatureRefusal.wrong) {
            try key(.secp256k1ECDSASHA256Raw).requireSignature(good[...], over: [1])
        }
        let otherPoint = try Secp256k1Signing.point(of: [UInt8](repeating: 0x12, count: 32))
        let other = try VerificationKey(
            otherPoint, format: .eccX962Raw, algorithm: .secp256k1ECDSASHA256Raw)
        #expect(throws: SignatureRefusal.wrong) { try other.requireSignature(good[...], over: message[...]) }
    }

    @Test("Sizes that are not the curve's are refused")
    func sizes() throws {
        let point = try Secp256k1Signing.point(of: secret)
        let digest = Array(SHA256.hash(data: message))
        let good = try signature()
        #expect(throws: SignatureRefusal.malformed) {
            try Secp256k1.requireSignature(Array(good.dropLast()), over: digest, by: point[...])
        }
        #expect(throws: SignatureRefusal.malformed) {
            try Secp256k1.requireSignature(good, over: Array(digest.dropLast()), by: point[...])
        }
        #expect(throws: SignatureRefusal.wrong) {
            try Secp256k1.requireSignature(good, over: digest, by: point.dropLast())
        }
        #expect(throws: VerificationKeyError.notOnCurve) { try Secp256k1.requirePoint([UInt8(4)][...]) }
    }

    /// `left - right` for numbers of 32 bytes, most significant first.
    private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = left
        var borrow = 0
        for index in left.indices.reversed() {
            let value = Int(left[index]) - Int(right[index]) - borrow
            borrow = value < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: value)
        }
        return result
    }
}
