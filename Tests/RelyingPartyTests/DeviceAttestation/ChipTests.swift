import Crypto
import CryptoExtras
import DeviceAttestation
import Foundation
import HardwareKeys
import HardwareKeysTPM
import Octets
import SwiftASN1
import TestSupport
import Testing
import UAF
import X509

@Suite(
    "A vault in a TPM proves its keys to a server that trusts the chip's manufacturer",
    .enabled(if: SoftwareTPM.isCertifiable, "\(SoftwareTPM.absence)"))
struct ChipTests {
    private static var now: Date { Date() }
    private static let pin = VaultSecret(copying: [UInt8](repeating: 1, count: 32))

    /// A vault on a chip of its own, and what a server knows of the chip.
    private struct Stage {
        let chip: SoftwareTPM
        let folder: TemporaryFolder
        let vault: TPMKeyVault

        init() async throws {
            chip = try SoftwareTPM(isCertified: true)
            folder = try TemporaryFolder()
            vault = try await TPMKeyVault.create(inDirectory: folder.path + "/vault", connection: chip.connection)
        }

        /// The endorsement key, by its certificate and its issuer's.
        func endorsementKey(trusting root: [UInt8]? = nil) async throws -> EndorsementKey {
            let certificates = [try await vault.endorsementCertificate(), try chip.endorsementIssuer()]
            let roots = try TrustRoots([try root ?? chip.endorsementRoot()])
            return try await EndorsementKey(certificates, endingAt: roots, at: ChipTests.now)
        }

        /// The statement about a key, as the server reads it.
        func statement(
            about key: KeyReference, by attestationKey: ChipAttestationKey, for registration: [UInt8]
        ) async throws -> TPMKeyStatement {
            let made = try await vault.statement(
                about: key, by: attestationKey, qualification: KeyAttestationEvidence.qualification(of: registration))
            return try TPMKeyStatement(octets: made.octets)
        }

        func point(of key: KeyReference) async throws -> [UInt8] {
            let octets = try await vault.publicKey(of: key)
            return Array(try P256.Signing.PublicKey(derRepresentation: octets).x963Representation)
        }
    }

    @Test("From the manufacturer's root to the key: certificate, credential, certification, PIN")
    func wholePath() async throws {
        let stage = try await Stage()
        let endorsementKey = try await stage.endorsementKey()
        let own = try await stage.vault.makeAttestationKey()
        let attestationKey = try TPMAttestationKey(publicArea: own.publicArea)
        let secret = SecretOctets(copying: (0..<32).map { _ in UInt8.random(in: 0...255) })
        let challenge = try CredentialChallenge(secret, for: attestationKey, to: endorsementKey)
        let recovered = try await stage.vault.recover(
            ChipCredential(credential: challenge.credential, encryptedSeed: challenge.encryptedSeed), for: own)
        try CredentialChallenge.require(recovered.withUnsafeBytes { Array($0) }, equals: secret)

        let key = try await stage.vault.createKey(
            KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: Self.pin)
        let point = try await stage.point(of: key)
        let statement = try await stage.statement(about: key, by: own, for: [1, 2, 3])
        var requirement = TPMKeyProof.Requirement(
            publicKey: point, qualification: KeyAttestationEvidence.qualification(of: [1, 2, 3]), isPinRequired: true,
            attemptLimit: 5)
        let proof = try TPMKeyProof(statement, signedBy: attestationKey, meeting: requirement)
        #expect(proof.indexName != nil)
        requirement.attemptLimit = 4
        #expect(throws: TPMRefusal.limit) {
            try TPMKeyProof(statement, signedBy: attestationKey, meeting: requirement)
        }

        // The PIN is still needed to sign, and counted.
        let message: [UInt8] = [7]
        let signature = try await stage.vault.sign(
            message, with: key, authorizedBy: .secret(try #require(Self.pin)))
        #expect(
            try P256.Signing.PublicKey(x963Representation: point).isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message))
        let wrong = try #require(VaultSecret(copying: [UInt8](repeating: 2, count: 32)))
        await #expect(throws: KeyVaultError.self) {
            try await stage.vault.sign(message, with: key, authorizedBy: .secret(wrong))
        }
        #expect(try await stage.vault.attempts(of: key)?.failures == 1)
        #expect(try stage.chip.leftovers().isEmpty)
    }

    @Test("A statement is about one registration, one key and one chip")
    func binding() async throws {
        let stage = try await Stage()
        let own = try await stage.vault.makeAttestationKey()
        let key = try await stage.vault.createKey(KeyRequirements(authorization: .open))
        let other = try await stage.vault.createKey(KeyRequirements(authorization: .open))
        let statement = try await stage.statement(about: key, by: own, for: [1])
        func proof(
            _ statement: TPMKeyStatement, of key: KeyReference, for registration: [UInt8], isPinRequired: Bool = false,
            by signer: ChipAttestationKey
        ) async throws -> TPMKeyProof {
            try TPMKeyProof(
                statement, signedBy: try TPMAttestationKey(publicArea: signer.publicArea),
                meeting: .init(
                    publicKey: try await stage.point(of: key),
                    qualification: KeyAttestationEvidence.qualification(of: registration),
                    isPinRequired: isPinRequired))
        }
        #expect(try await proof(statement, of: key, for: [1], by: own).indexName == nil)
        await #expect(throws: TPMRefusal.wrongQualification) { try await proof(statement, of: key, for: [2], by: own) }
        await #expect(throws: TPMRefusal.foreignKey) { try await proof(statement, of: other, for: [1], by: own) }
        await #expect(throws: TPMRefusal.indexMissing) {
            try await proof(statement, of: key, for: [1], isPinRequired: true, by: own)
        }
        let second = try await stage.vault.makeAttestationKey()
        await #expect(throws: TPMRefusal.wrongSignature) { try await proof(statement, of: key, for: [1], by: second) }
    }

    @Test("A chip opens no credential that was made for another attestation key, or another chip")
    func foreignCredential() async throws {
        let stage = try await Stage()
        let endorsementKey = try await stage.endorsementKey()
        let own = try await stage.vault.makeAttestationKey()
        let other = try await stage.vault.makeAttestationKey()
        let secret = SecretOctets(copying: [UInt8](repeating: 1, count: 32))
        let challenge = try CredentialChallenge(
            secret, for: try TPMAttestationKey(publicArea: other.publicArea), to: endorsementKey)
        let credential = ChipCredential(credential: challenge.credential, encryptedSeed: challenge.encryptedSeed)
        await #expect(throws: KeyVaultError.self) { try await stage.vault.recover(credential, for: own) }
        #expect(
            try await stage.vault.recover(credential, for: other).withUnsafeBytes { Array($0) }
                == [UInt8](repeating: 1, count: 32))

        let second = try await Stage()
        let foreign = try await second.vault.makeAttestationKey()
        let stolen = try CredentialChallenge(
            secret, for: try TPMAttestationKey(publicArea: foreign.publicArea), to: endorsementKey)
        await #expect(throws: KeyVaultError.self) {
            try await second.vault.recover(
                ChipCredential(credential: stolen.credential, encryptedSeed: stolen.encryptedSeed), for: foreign)
        }
        for octets in [[], [0], [0, 5, 1], [0xFF, 0xFF]] as [[UInt8]] {
            await #expect(throws: KeyVaultError.damaged) {
                try await stage.vault.recover(ChipCredential(credential: octets, encryptedSeed: octets), for: own)
            }
        }
        let wrong = SecretOctets(copying: [UInt8](repeating: 2, count: 32))
        #expect(throws: TPMRefusal.wrongCredential) {
            try CredentialChallenge.require([UInt8](repeating: 1, count: 32), equals: wrong)
        }
        #expect(throws: TPMRefusal.wrongCredential) { try CredentialChallenge.require([], equals: wrong) }
    }

    @Test("A chip of an untrusted manufacturer, and a certificate for something else, are refused")
    func foreignManufacturer() async throws {
        let stage = try await Stage()
        let authority = try AttestationAuthority()
        await #expect(throws: TPMRefusal.endorsementPath(.noValidPath)) {
            try await stage.endorsementKey(trusting: authority.root)
        }
        let roots = try TrustRoots([authority.root])
        func refuse(_ wish: AttestationAuthority.Wish, _ refusal: TPMRefusal) async throws {
            let certificates = try authority.certificates(for: .init(P256.Signing.PrivateKey().publicKey), wish)
            await #expect(throws: refusal) {
                try await EndorsementKey(certificates, endingAt: roots, at: Self.now)
            }
        }
        var wish = AttestationAuthority.Wish()
        try await refuse(wish, .endorsementUsage)
        wish.usages = [[1, 3, 6, 1, 5, 5, 7, 3, 1]]
        try await refuse(wish, .endorsementUsage)
        wish.usages = [[2, 23, 133, 8, 1]]
        let certificates = try authority.certificates(for: .init(P256.Signing.PrivateKey().publicKey), wish)
        _ = try await EndorsementKey(certificates, endingAt: roots, at: Self.now)
        wish.isAuthority = true
        try await refuse(wish, .endorsementUsage)
        wish.isAuthority = false
        wish.validity = 1_577_836_800...1_600_000_000
        try await refuse(wish, .endorsementPath(.noValidPath))
        wish.validity = 1_577_836_800...4_102_444_800
        for key: Certificate.PublicKey in [
            .init(P521.Signing.PrivateKey().publicKey),
            .init(try _RSA.Signing.PrivateKey(keySize: .bits3072).publicKey),
        ] {
            let foreign = try authority.certificates(for: key, wish)
            await #expect(throws: TPMRefusal.endorsementKeyKind) {
                try await EndorsementKey(foreign, endingAt: roots, at: Self.now)
            }
        }
    }

    @Test("An attestation key is kept in a file; a changed file is refused")
    func file() async throws {
        let stage = try await Stage()
        let own = try await stage.vault.makeAttestationKey()
        #expect(try ChipAttestationKey(octets: own.octets) == own)
        var changed = own.octets
        changed[20] ^= 1
        #expect(throws: KeyVaultError.damaged) { try ChipAttestationKey(octets: changed) }
    }

    @Test("The chip states nothing about a key under a secret that is not counted, or an unknown one")
    func uncertifiable() async throws {
        let stage = try await Stage()
        let own = try await stage.vault.makeAttestationKey()
        let key = try await stage.vault.createKey(KeyRequirements(authorization: .secret), authorizedBy: Self.pin)
        await #expect(throws: KeyVaultError.unsupportedRequirements) {
            try await stage.vault.statement(about: key, by: own, qualification: [])
        }
        await #expect(throws: KeyVaultError.unknownKey) {
            try await stage.vault.statement(about: .fresh(), by: own, qualification: [])
        }
        await #expect(throws: KeyVaultError.wrongUse) {
            try await stage.vault.statement(about: key, by: own, qualification: [UInt8](repeating: 0, count: 65))
        }
    }

    /// Endorsement key that is made anew for each use, as the tools and the chip know it.
    enum LowRange: String, CaseIterable {
        case ecc, rsa

        var certificateIndex: String {
            switch self {
            case .ecc: "0x01C0000A"
            case .rsa: "0x01C00002"
            }
        }

        func publicKey(_ pem: String) throws -> Certificate.PublicKey {
            switch self {
            case .ecc: .init(try P256.Signing.PublicKey(pemRepresentation: pem))
            case .rsa: .init(try _RSA.Signing.PublicKey(pemRepresentation: pem))
            }
        }
    }

    @Test(
        "A chip with the endorsement keys that most have, made anew each time, opens credentials too",
        arguments: LowRange.allCases)
    func lowRange(kind: LowRange) async throws {
        let chip = try SoftwareTPM()
        let folder = try TemporaryFolder()
        let vault = try await TPMKeyVault.create(inDirectory: folder.path + "/vault", connection: chip.connection)
        try chip.tool("tpm2_createek", "-c", "ek.ctx", "-G", kind.rawValue, "-u", "ek.pem", "-f", "pem")
        try chip.flushLeftovers()
        let key = try kind.publicKey(String(decoding: try chip.bytes("ek.pem"), as: UTF8.self))
        let authority = try AttestationAuthority()
        var wish = AttestationAuthority.Wish()
        wish.usages = [[2, 23, 133, 8, 1]]
        let certificates = try authority.certificates(for: key, wish)
        // An index may be larger than its certificate.
        try chip.place(certificates[0] + [UInt8](repeating: 0xFF, count: 40), as: "ek.der")
        let attributes = "ppwrite|ppread|ownerread|authread|no_da|platformcreate"
        try chip.tool(
            "tpm2_nvdefine", kind.certificateIndex, "-C", "p", "-s", "\(certificates[0].count + 40)", "-a", attributes)
        try chip.tool("tpm2_nvwrite", kind.certificateIndex, "-C", "p", "-i", "ek.der")

        #expect(try await vault.endorsementCertificate() == certificates[0])
        let endorsementKey = try await EndorsementKey(
            [try await vault.endorsementCertificate(), certificates[1]], endingAt: try TrustRoots([authority.root]),
            at: Self.now)
        let own = try await vault.makeAttestationKey()
        for number in 0..<4 {
            let secret = SecretOctets(copying: [UInt8](repeating: UInt8(number), count: 32))
            let challenge = try CredentialChallenge(
                secret, for: try TPMAttestationKey(publicArea: own.publicArea), to: endorsementKey)
            let recovered = try await vault.recover(
                ChipCredential(credential: challenge.credential, encryptedSeed: challenge.encryptedSeed), for: own)
            try CredentialChallenge.require(recovered.withUnsafeBytes { Array($0) }, equals: secret)
        }
        #expect(try chip.leftovers().isEmpty)
    }

    @Test("A chip without certified keys has nothing to show")
    func uncertified() async throws {
        let chip = try SoftwareTPM()
        let folder = try TemporaryFolder()
        let vault = try await TPMKeyVault.create(inDirectory: folder.path + "/vault", connection: chip.connection)
        await #expect(throws: KeyVaultError.unsupportedRequirements) { try await vault.endorsementCertificate() }
    }
}
