import Crypto
import RelyingParty
import Testing
import UAF

@testable import ServerCore

@Suite("Parsed public keys")
struct VerificationKeysTests {
    private static let algorithm = AuthenticationAlgorithm.secp256r1ECDSASHA256Raw

    private func publicKey(_ key: P256.Signing.PrivateKey) -> EncodedPublicKey {
        EncodedPublicKey(format: .eccX962Raw, octets: Array(key.publicKey.x963Representation))
    }

    @Test("Every key verifies what was signed with it and nothing else, kept or forgotten")
    func keys() throws {
        let privateKeys = (0..<5).map { _ in P256.Signing.PrivateKey() }
        let keys = VerificationKeys(generationLimit: 2)
        let message: [UInt8] = [1, 2, 3]
        for round in 0..<3 {
            for (position, privateKey) in privateKeys.enumerated() {
                let key = try #require(keys.key(publicKey(privateKey), Self.algorithm), "round \(round)")
                let signature = Array(try privateKey.signature(for: message).rawRepresentation)
                #expect(throws: Never.self) { try key.requireSignature(signature[...], over: message[...]) }
                let other = privateKeys[(position + 1) % privateKeys.count]
                let foreign = Array(try other.signature(for: message).rawRepresentation)
                #expect(throws: (any Error).self) { try key.requireSignature(foreign[...], over: message[...]) }
            }
        }
    }

    @Test("The same octets under another algorithm or format are another key")
    func distinction() throws {
        let octets = publicKey(P256.Signing.PrivateKey())
        let keys = VerificationKeys()
        #expect(keys.key(octets, Self.algorithm)?.algorithm == Self.algorithm)
        #expect(keys.key(octets, .secp256r1ECDSASHA256DER)?.algorithm == .secp256r1ECDSASHA256DER)
        #expect(keys.key(EncodedPublicKey(format: .eccX962DER, octets: octets.octets), Self.algorithm) == nil)
        #expect(keys.key(octets, .rsaPKCS1SHA256DER) == nil)
    }

    @Test("Octets that are no key are none at the second look either")
    func damage() {
        let keys = VerificationKeys()
        let damaged = EncodedPublicKey(format: .eccX962Raw, octets: [4] + [UInt8](repeating: 1, count: 64))
        #expect(keys.key(damaged, Self.algorithm) == nil)
        #expect(keys.key(damaged, Self.algorithm) == nil)
    }
}
