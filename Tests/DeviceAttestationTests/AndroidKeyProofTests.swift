import Crypto
import DeviceAttestation
import Foundation
import SwiftASN1
import TestSupport
import Testing
import X509

@Suite("Android's key store proves that the hardware of a device made a key")
struct AndroidKeyProofTests {
    /// Attestation with one fault, and the refusal.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let refusal: AndroidRefusal
        let change: @Sendable (inout SyntheticAndroidKey) -> Void

        init(
            _ description: String, _ refusal: AndroidRefusal,
            change: @escaping @Sendable (inout SyntheticAndroidKey) -> Void
        ) {
            testDescription = description
            self.refusal = refusal
            self.change = change
        }
    }

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

    static let faults: [Fault] = [
        Fault("no description", .extensionMissing) { $0.hasDescription = false },
        Fault("octets behind the description", .malformed) { $0.trailing = [0] },
        Fault("schema 0", .unknownVersion) { $0.version = 0 },
        Fault("schema of the future", .unknownVersion) { $0.version = 500 },
        Fault("unknown place of the attestation", .malformed) { $0.attestationLevel = 3 },
        Fault("unknown place of the key", .malformed) { $0.keyLevel = 3 },
        Fault("another challenge", .wrongChallenge) { $0.challenge[0] ^= 1 },
        Fault("no challenge", .wrongChallenge) { $0.challenge = [] },
        Fault("attestation by software", .securityLevel) { $0.attestationLevel = 0 },
        Fault("key in software", .securityLevel) { $0.keyLevel = 0 },
        Fault("RSA key", .keyKind) { $0.hardware[2] = Android.integer(1) },
        Fault("no algorithm", .keyKind) { $0.hardware[2] = nil },
        Fault("algorithm that only the system vouches for", .keyKind) {
            $0.software[2] = $0.hardware[2]
            $0.hardware[2] = nil
        },
        Fault("key of 384 bits", .keyKind) { $0.hardware[3] = Android.integer(384) },
        Fault("key on P-384", .keyKind) { $0.hardware[10] = Android.integer(2) },
        Fault("certified key on P-384", .keyKind) { $0.certifiedKey = .init(P384.Signing.PrivateKey().publicKey) },
        Fault("another certified key", .foreignKey) { $0.certifiedKey = .init(P256.Signing.PrivateKey().publicKey) },
        Fault("imported key", .origin) { $0.hardware[702] = Android.integer(2) },
        Fault("derived key", .origin) { $0.hardware[702] = Android.integer(1) },
        Fault("key of unknown origin", .origin) { $0.hardware[702] = Android.integer(3) },
        Fault("origin that only the system vouches for", .origin) {
            $0.software[702] = $0.hardware[702]
            $0.hardware[702] = nil
        },
        Fault("key that verifies too", .purpose) { $0.hardware[1] = Android.set([2, 3]) },
        Fault("key that decrypts", .purpose) { $0.hardware[1] = Android.set([1]) },
        Fault("key that attests others", .purpose) { $0.hardware[1] = Android.set([2, 7]) },
        Fault("no purpose", .purpose) { $0.hardware[1] = nil },
        Fault("purpose that is no set", .malformed) { $0.hardware[1] = Android.integer(2) },
        Fault("digest SHA-1 as well", .digest) { $0.hardware[5] = Android.set([2, 4]) },
        Fault("no digest", .digest) { $0.hardware[5] = Android.set([0]) },
        Fault("digests not named", .digest) { $0.hardware[5] = nil },
        Fault("key that needs no user", .access) { $0.hardware[503] = [0x05, 0x00] },
        Fault("key that needs no user, by the system", .access) { $0.software[503] = [0x05, 0x00] },
        Fault("key that names no user", .access) { $0.hardware[504] = nil },
        Fault("key of a user who is verified in no way", .access) { $0.hardware[504] = Android.integer(0) },
        Fault("user that only the system vouches for", .access) {
            $0.software[504] = $0.hardware[504]
            $0.hardware[504] = nil
        },
        Fault("key of every application", .access) { $0.software[600] = [0x05, 0x00] },
        Fault("key that stays open", .authenticationTimeout) { $0.hardware[505] = Android.integer(30) },
        Fault("key that stays open, by the system", .authenticationTimeout) { $0.software[505] = Android.integer(1) },
        Fault("no root of trust", .rootOfTrustMissing) { $0.hardware[704] = nil },
        Fault("root of trust that only the system vouches for", .rootOfTrustMissing) {
            $0.software[704] = $0.hardware[704]
            $0.hardware[704] = nil
        },
        Fault("unlocked loader", .bootState) { $0.hardware[704] = Android.rootOfTrust(isLocked: false, state: 0) },
        Fault("system signed by the user", .bootState) {
            $0.hardware[704] = Android.rootOfTrust(isLocked: true, state: 1)
        },
        Fault("system that nobody verified", .bootState) {
            $0.hardware[704] = Android.rootOfTrust(isLocked: true, state: 2)
        },
        Fault("failed start", .bootState) { $0.hardware[704] = Android.rootOfTrust(isLocked: true, state: 3) },
        Fault("root of trust that is none", .malformed) { $0.hardware[704] = [0x30, 0x00] },
        Fault("certificate that has expired", .path(.noValidPath)) {
            $0.wish.validity = 1_577_836_800...1_700_000_000
        },
        Fault("certificate with an unknown critical extension", .path(.noValidPath)) {
            $0.wish.extensions = [.init(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00])]
        },
    ]

    @Test("Every fault of an attestation is refused with its cause", arguments: faults)
    func refuses(fault: Fault) async {
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

    @Test("An application that somebody else has signed is refused, and one that nobody is named for")
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
