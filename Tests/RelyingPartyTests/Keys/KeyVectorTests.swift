import StrictJSON
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite(
    "FIDO Registry 3.6.2: public keys of the Wycheproof sets",
    .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct KeyVectorTests {
    @Test("SubjectPublicKeyInfo: the valid ones are read, all others refused, also the acceptable ones")
    func subjectPublicKeyInfo() throws {
        try run("ecdh_secp256r1", as: .eccX962DER)
    }

    @Test("Uncompressed point: the valid ones are read, all others refused, also compressed points")
    func point() throws {
        try run("ecdh_secp256r1_ecpoint", as: .eccX962Raw)
    }

    private func run(_ file: String, as format: PublicKeyFormat) throws {
        for test in try WycheproofFile(file).groups.flatMap(\.cases) {
            let octets = try test.fields.hex("public")
            if test.result == .valid {
                #expect(throws: Never.self, "case \(test.number)") { _ = try key(octets, format) }
            } else {
                #expect(throws: VerificationKeyError.self, "case \(test.number)") { _ = try key(octets, format) }
            }
        }
    }

    private func key(_ octets: [UInt8], _ format: PublicKeyFormat) throws -> VerificationKey {
        try VerificationKey(octets, format: format, algorithm: .secp256r1ECDSASHA256DER)
    }
}
