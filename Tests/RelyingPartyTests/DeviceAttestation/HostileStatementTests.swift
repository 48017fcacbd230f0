import Crypto
import DeviceAttestation
import Foundation
import TestSupport
import Testing

@Suite("No statement stands once one of its bits is another, and none ends the server")
struct HostileStatementTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let hash = [UInt8](repeating: 5, count: 32)

    /// Every spoiling of some bytes: one bit in each place, and the end at some places.
    private static func spoiled(_ octets: [UInt8]) -> [[UInt8]] {
        octets.indices.map { position in
            var changed = octets
            changed[position] ^= 1 << (position % 8)
            return changed
        } + stride(from: 0, to: octets.count, by: 11).map { Array(octets.prefix($0)) }
    }

    @Test("TPM: attest, signature, public area and index")
    func chip() throws {
        let key = P256.Signing.PrivateKey()
        let made = SyntheticTPMStatement(about: key.publicKey, qualification: Self.hash)
        let sound = TPMKeyStatement(
            attest: made.attest, signature: try made.signature(), publicArea: made.publicArea.octets,
            index: made.index?.octets ?? [], counts: made.countsAttest, countsSignature: try made.countsSignature())
        let attestationKey = try TPMAttestationKey(
            publicArea: SyntheticTPMStatement.PublicArea(
                made.attestationKey.publicKey, attributes: SyntheticTPMStatement.PublicArea.attesting
            ).octets)
        let requirement = TPMKeyProof.Requirement(
            publicKey: Array(key.publicKey.x963Representation), qualification: Self.hash, isPinRequired: true,
            attemptLimit: 5)
        _ = try TPMKeyProof(sound, signedBy: attestationKey, meeting: requirement)
        for octets in Self.spoiled(sound.octets) {
            #expect(throws: TPMRefusal.self) {
                try TPMKeyProof(
                    try TPMKeyStatement(octets: octets), signedBy: attestationKey, meeting: requirement)
            }
        }
    }

    @Test("App Attest: everything but the receipt, which is Apple's affair")
    func appAttest() async throws {
        let authority = try AttestationAuthority()
        let roots = try TrustRoots([authority.root])
        let made = SyntheticAppAttest()
        let sound = try made.attestation(clientDataHash: Self.hash, by: authority)
        let requirement = AppAttestRequirement(applications: [SyntheticAppAttest.application])
        func key(_ statement: [UInt8]) async throws -> AppAttestKey {
            try await AppAttestKey(
                attestation: statement, keyID: made.keyID, clientDataHash: Self.hash, meeting: requirement,
                endingAt: roots, at: Self.now)
        }
        let right = try await key(sound)
        for octets in Self.spoiled(sound) {
            guard let accepted = try? await key(octets) else { continue }
            #expect(accepted.receipt != right.receipt)
        }
    }

    @Test("App Attest: assertions")
    func assertion() throws {
        let made = SyntheticAppAttest()
        let key = AppAttestKey(
            publicKey: Array(made.key.publicKey.x963Representation), keyID: made.keyID,
            application: SyntheticAppAttest.application, environment: .production, receipt: [], counter: 0)
        let requirement = AppAttestRequirement(applications: [SyntheticAppAttest.application])
        let sound = try made.assertion(clientDataHash: Self.hash, counter: 1)
        _ = try key.asserted(sound, clientDataHash: Self.hash, meeting: requirement)
        for octets in Self.spoiled(sound) {
            #expect(throws: AppAttestRefusal.self) {
                try key.asserted(octets, clientDataHash: Self.hash, meeting: requirement)
            }
        }
    }

    @Test("Android: each certificate of the path")
    func android() async throws {
        let authority = try AttestationAuthority()
        let roots = try TrustRoots([authority.root])
        let made = SyntheticAndroidKey(challenge: Self.hash)
        let sound = try made.certificates(by: authority)
        let requirement = AndroidRequirement(
            publicKey: Array(made.key.publicKey.x963Representation), challenge: Self.hash)
        _ = try await AndroidKeyProof(sound, meeting: requirement, endingAt: roots, at: Self.now)
        for position in sound.indices {
            for octets in Self.spoiled(sound[position]) {
                var certificates = sound
                certificates[position] = octets
                await #expect(throws: AndroidRefusal.self) {
                    try await AndroidKeyProof(certificates, meeting: requirement, endingAt: roots, at: Self.now)
                }
            }
        }
    }

    @Test("Descriptions of Android keys end in a value or a refusal, whatever bit is another")
    func descriptions() {
        let sound = SyntheticAndroidKey(challenge: Self.hash).description
        var accepted = 0
        for octets in Self.spoiled(sound) where (try? AndroidKeyDescription(octets[...])) != nil { accepted += 1 }
        #expect(accepted > 0 && accepted < sound.count)
    }
}
