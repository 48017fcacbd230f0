import Crypto
import DeviceAttestation
import Foundation
import SwiftASN1
import TestSupport
import Testing
import X509

@Suite("Android's key store proves that the hardware of a device made a key")
struct AndroidKeyProofTests {
    private typealias Android = SyntheticAndroidKey

    private static let challenge = Array(SHA256.hash(data: [6]))
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func proof(
        of made: SyntheticAndroidKey, by authority: AttestationAuthority? = nil,
        change: (inout AndroidRequirement) -> Void = { _ in }
    ) async throws -> AndroidKeyProof {
        let authority = try authority ?? AttestationAuthority()
        var requirement = AndroidRequirement(
            publicKey: Array(made.key.publicKey.x963Representation), challenge: Self.challenge)
        change(&requirement)
        return try await AndroidKeyProof(
            try made.certificates(by: authority), meeting: requirement, endingAt: try TrustRoots([authority.root]),
            at: Self.now)
    }

    @Test("A sound attestation proves the key, in every schema", arguments: [1, 2, 3, 4, 100, 200, 300, 400])
    func accepts(version: Int) async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        made.version = version
        let proof = try await proof(of: made)
        #expect(proof.securityLevel == .trustedEnvironment)
        #expect(proof.packages == ["com.example.signet"])
    }

    @Test("A key in a security chip of its own is told from one in the main processor")
    func strongBox() async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        await #expect(throws: AndroidRefusal.securityLevel) {
            try await proof(of: made) { $0.securityLevel = .strongBox }
        }
        made.attestationLevel = 2
        await #expect(throws: AndroidRefusal.securityLevel) {
            try await proof(of: made) { $0.securityLevel = .strongBox }
        }
        made.keyLevel = 2
        #expect(try await proof(of: made) { $0.securityLevel = .strongBox }.securityLevel == .strongBox)
    }

    @Test("Software is never enough, whatever is demanded")
    func software() async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        made.keyLevel = 0
        await #expect(throws: AndroidRefusal.securityLevel) {
            try await proof(of: made) { $0.securityLevel = .software }
        }
    }

    @Test("A schema before curves had numbers says the same by the size of the key")
    func withoutCurve() async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        made.hardware[10] = nil
        #expect(try await proof(of: made).securityLevel == .trustedEnvironment)
    }

    @Test("Every fault of an attestation is refused with its cause", arguments: SyntheticAndroidKey.faults)
    func refuses(fault: SyntheticAndroidKey.Fault) async {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        fault.change(&made)
        let attestation = made
        await #expect(throws: fault.refusal) { try await proof(of: attestation) }
    }

    @Test("Applications, patches and rollback resistance are judged where that is demanded")
    func demands() async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        await #expect(throws: AndroidRefusal.foreignApplication) {
            try await proof(of: made) { $0.packages = ["com.example.other"] }
        }
        await #expect(throws: AndroidRefusal.patchLevel) {
            try await proof(of: made) { $0.oldestPatchLevel = 202_609 }
        }
        await #expect(throws: AndroidRefusal.rollbackResistance) {
            try await proof(of: made) { $0.isRollbackResistanceRequired = true }
        }
        made.hardware[303] = [0x05, 0x00]
        let proved = try await proof(of: made) {
            $0.packages = ["com.example.signet"]
            $0.oldestPatchLevel = 202_608
            $0.isRollbackResistanceRequired = true
        }
        #expect(proved.securityLevel == .trustedEnvironment)
        made.hardware[706] = nil
        await #expect(throws: AndroidRefusal.patchLevel) {
            try await proof(of: made) { $0.oldestPatchLevel = 202_001 }
        }
    }

    @Test("A key that another application shares, or none is named for, belongs to no application of ours")
    func sharedKey() async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        made.software[709] = Android.application(["com.example.signet", "com.example.other"])
        await #expect(throws: AndroidRefusal.foreignApplication) {
            try await proof(of: made) { $0.packages = ["com.example.signet"] }
        }
        made.software[709] = nil
        await #expect(throws: AndroidRefusal.foreignApplication) {
            try await proof(of: made) { $0.packages = ["com.example.signet"] }
        }
    }

    @Test("An application with a foreign signature is refused, and one without a named signer")
    func signers() async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        let signer = [UInt8](repeating: 0x33, count: 32)
        #expect(try await proof(of: made) { $0.signers = [signer, [1]] }.packages == ["com.example.signet"])
        await #expect(throws: AndroidRefusal.foreignApplication) {
            try await proof(of: made) { $0.signers = [[1]] }
        }
        await #expect(throws: AndroidRefusal.foreignApplication) {
            try await proof(of: made) {
                $0.packages = ["com.example.signet"]
                $0.signers = [[1]]
            }
        }
        made.software[709] = nil
        await #expect(throws: AndroidRefusal.foreignApplication) {
            try await proof(of: made) { $0.signers = [signer] }
        }
    }

    @Test("Roots are read from a text with certificates, and from nothing else")
    func rootTexts() async throws {
        let made = SyntheticAndroidKey(challenge: Self.challenge)
        let authority = try AttestationAuthority()
        let text = PEMDocument(type: "CERTIFICATE", derBytes: authority.root).pemString
        let requirement = AndroidRequirement(
            publicKey: Array(made.key.publicKey.x963Representation), challenge: Self.challenge)
        let proof = try await AndroidKeyProof(
            try made.certificates(by: authority), meeting: requirement,
            endingAt: try TrustRoots(pemTexts: [Array(text.utf8)]), at: Self.now)
        #expect(proof.securityLevel == .trustedEnvironment)
        let key = PEMDocument(type: "PUBLIC KEY", derBytes: authority.root).pemString
        let damaged = PEMDocument(type: "CERTIFICATE", derBytes: [1, 2, 3]).pemString
        for text in ["", "no certificate", key, damaged] {
            #expect(throws: PathRefusal.malformed) { try TrustRoots(pemTexts: [Array(text.utf8)]) }
        }
    }

    @Test("A device that was started otherwise is taken where that is not judged")
    func unverifiedBoot() async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        made.hardware[704] = nil
        #expect(try await proof(of: made) { $0.isVerifiedBootRequired = false }.securityLevel == .trustedEnvironment)
    }

    @Test("A revoked certificate anywhere in the path refuses the key, in every spelling of its number")
    func revoked() async throws {
        var made = SyntheticAndroidKey(challenge: Self.challenge)
        made.wish.serial = [0x0A, 0xBC]
        for serial in ["abc", "0ABC", "5a01"] {
            await #expect(throws: AndroidRefusal.revoked) {
                try await proof(of: made) { $0.revokedSerials = ["1", serial] }
            }
        }
        #expect(try await proof(of: made) { $0.revokedSerials = ["abcd", "bc"] }.packages.count == 1)
    }

    @Test("A revoked authority refuses the key also where the server names it as trusted and the phone leaves it out")
    func revokedAuthority() async throws {
        let made = SyntheticAndroidKey(challenge: Self.challenge)
        let authority = try AttestationAuthority()
        let leaf = Array(try made.certificates(by: authority).prefix(1))
        let roots = try TrustRoots([authority.root, authority.intermediate])
        var requirement = AndroidRequirement(
            publicKey: Array(made.key.publicKey.x963Representation), challenge: Self.challenge)
        let proof = try await AndroidKeyProof(leaf, meeting: requirement, endingAt: roots, at: Self.now)
        #expect(proof.securityLevel == .trustedEnvironment)
        requirement.revokedSerials = ["5a01"]
        let revoking = requirement
        await #expect(throws: AndroidRefusal.revoked) {
            try await AndroidKeyProof(leaf, meeting: revoking, endingAt: roots, at: Self.now)
        }
    }

    @Test("A certificate of the path that describes a key itself refuses what it issued")
    func repeatedDescription() async throws {
        let made = SyntheticAndroidKey(challenge: Self.challenge)
        let authority = try AttestationAuthority(extensions: [made.descriptionExtension])
        await #expect(throws: AndroidRefusal.extensionRepeated) { try await proof(of: made, by: authority) }
    }

    @Test("Certificates of another authority, in another order, or none at all are refused")
    func paths() async throws {
        let made = SyntheticAndroidKey(challenge: Self.challenge)
        let authority = try AttestationAuthority()
        let certificates = try made.certificates(by: authority)
        func refuse(_ certificates: [[UInt8]], _ root: [UInt8], _ refusal: PathRefusal) async {
            await #expect(throws: AndroidRefusal.path(refusal)) {
                try await AndroidKeyProof(
                    certificates,
                    meeting: .init(
                        publicKey: Array(made.key.publicKey.x963Representation), challenge: Self.challenge),
                    endingAt: try TrustRoots([root]), at: Self.now)
            }
        }
        await refuse(certificates, try AttestationAuthority().root, .noValidPath)
        await refuse(certificates.reversed(), authority.root, .wrongOrder)
        await refuse([certificates[0]], authority.root, .noValidPath)
        await refuse([], authority.root, .malformed)
        await refuse([[0x30, 0x00]], authority.root, .malformed)
        await refuse([authority.root], authority.root, .noValidPath)
        await refuse([[UInt8](repeating: 0, count: 16_385)], authority.root, .malformed)
        #expect(throws: PathRefusal.malformed) { try TrustRoots([[1]]) }
    }
}
