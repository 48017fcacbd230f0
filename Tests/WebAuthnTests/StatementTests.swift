import Crypto
import DeviceAttestation
import Foundation
import StrictCBOR
import SwiftASN1
import TestSupport
import Testing
import WebAuthn
import X509

@Suite("Statements about new passkeys are verified by the rules of their formats")
struct StatementTests {
    private let maker: SoftwareMaker
    private let authenticator = SoftwareAuthenticator()

    init() throws { maker = try SoftwareMaker() }

    /// Expects a refusal in step 22, after a change of maker, authenticator or answer.
    private func expect(
        _ refusal: StatementRefusal, _ format: AttestationFormat,
        maker change: (inout SoftwareMaker) throws -> Void = { _ in },
        authenticator: SoftwareAuthenticator? = nil, answer: (inout MadeRegistration) throws -> Void = { _ in },
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        var maker = maker
        try change(&maker)
        let ceremonies = try PasskeyCeremonies(trusting: self.maker)
        var made = try (authenticator ?? self.authenticator).registration(ceremonies.creation, format, by: maker)
        try answer(&made)
        await ceremonies.expectRefusal(.statement(refusal), step: 22, of: made.text, location)
    }

    private func accepted(
        _ format: AttestationFormat, _ key: PasskeyKeyPair? = nil,
        maker change: (inout SoftwareMaker) throws -> Void = { _ in },
        ceremony: (inout PasskeyCeremonies) -> Void = { _ in }
    ) async throws -> VerifiedPasskey {
        var maker = maker
        try change(&maker)
        var ceremonies = try PasskeyCeremonies(trusting: maker)
        ceremony(&ceremonies)
        let authenticator = key.map { SoftwareAuthenticator($0) } ?? authenticator
        return try await ceremonies.registration(
            try authenticator.registration(ceremonies.creation, format, by: maker).text)
    }

    // MARK: - Every format

    private static let attested: [AttestationFormat] = [.packed, .tpm, .apple, .androidKey, .fidoU2F]

    @Test("A sound statement that ends at a root is a proof", arguments: attested)
    func sound(format: AttestationFormat) async throws {
        // A token of U2F names one certificate: its issuer has to be a root.
        if format == .fidoU2F {
            let authority = maker.authority
            let passkey = try await accepted(
                format, ceremony: { $0.settings.attestation.roots = try? TrustRoots([authority.intermediate]) })
            #expect(passkey.attestation == .certified)
        } else {
            #expect(try await accepted(format).attestation == .certified)
        }
    }

    @Test("A member too many, too few, or of another type is refused", arguments: attested)
    func syntax(format: AttestationFormat) async throws {
        let made = try authenticator.registration(try PasskeyCeremonies().creation, format, by: maker)
        try await expect(.syntax, format, answer: { $0.statement["other"] = .null })
        for name in made.statement.keys {
            for wrong: CBORValue? in [nil, .null] where format != .packed || name != "x5c" || wrong != nil {
                try await expect(.syntax, format, answer: { $0.statement[name] = wrong })
            }
        }
        for list: [CBORValue] in [[], [.text("x")], [.bytes([]), .null]] {
            try await expect(.syntax, format, answer: { $0.statement["x5c"] = .array(list) })
        }
        try await expect(
            .certificate(.malformed), format, answer: { $0.statement["x5c"] = .array([.bytes([0x30, 0])]) })
    }

    @Test("A certificate of a model is one of this model", arguments: [AttestationFormat.packed, .tpm])
    func model(format: AttestationFormat) async throws {
        func named(_ octets: [UInt8], critical: Bool = false) -> Certificate.Extension {
            .init(oid: [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4], critical: critical, value: octets[...])
        }
        let right = [0x04, 0x10] + authenticator.model
        #expect(try await accepted(format, maker: { $0.extensions = [named(right)] }).attestation == .certified)
        for wrong in [[0x04, 0x10] + [UInt8](repeating: 0, count: 16), authenticator.model, [0x04, 0], []] {
            try await expect(.foreignModel, format, maker: { $0.extensions = [named(wrong)] })
        }
        try await expect(.foreignModel, format, maker: { $0.extensions = [named(right, critical: true)] })
    }

    @Test("Keys of each kind are attested", arguments: COSEAlgorithm.allCases)
    func kinds(algorithm: COSEAlgorithm) async throws {
        let key = try PasskeyKeyPair.new(algorithm)
        #expect(try await accepted(.packed, key).attestation == .certified)
        let ceremonies = try PasskeyCeremonies()
        let own = try SoftwareAuthenticator(key).registration(ceremonies.creation, .packed)
        #expect(try await ceremonies.registration(own.text).attestation == .itself)
        guard algorithm != .mldsa65 else { return }
        #expect(try await accepted(.packed, maker: { $0.key = key }).attestation == .certified)
        #expect(try await accepted(.apple, key).attestation == .certified)
        guard algorithm != .eddsa else { return }
        #expect(try await accepted(.tpm, key).attestation == .certified)
    }

    // MARK: - None, packed

    @Test("None says nothing")
    func none() async throws {
        try await expect(.syntax, .none, answer: { $0.statement["x"] = .null })
    }

    @Test("Packed: a key speaks for itself with its own algorithm and signature")
    func packedSelf() async throws {
        let ceremonies = try PasskeyCeremonies()
        for (algorithm, refusal): (Int64, StatementRefusal) in [(-8, .algorithm), (-35, .algorithm), (-7, .signature)] {
            var made = try authenticator.registration(ceremonies.creation, .packed)
            made.statement["alg"] = .integer(algorithm)
            made.statement["sig"] = .bytes([])
            await ceremonies.expectRefusal(.statement(refusal), step: 22, of: made.text)
        }
    }

    @Test("Packed: the certified key signs, and its certificate has the form of the standard")
    func packed() async throws {
        try await expect(.signature, .packed, answer: { $0.statement["sig"] = .bytes([0x30, 0]) })
        try await expect(.algorithm, .packed, answer: { $0.statement["alg"] = .integer(-257) })
        try await expect(.algorithm, .packed, answer: { $0.statement["alg"] = .integer(-65_535) })
        try await expect(.certificateForm, .packed, maker: { $0.isAuthority = true })
        try await expect(
            .certificateForm, .packed, maker: { $0.subject = try SoftwareMaker.packedSubject(unit: "Attestation") })
        try await expect(.certificateForm, .packed, maker: { $0.subject = try DistinguishedName { CommonName("x") } })
        for missing in 0..<4 {
            try await expect(
                .certificateForm, .packed,
                maker: {
                    var names = Array(try SoftwareMaker.packedSubject())
                    names.remove(at: missing)
                    $0.subject = DistinguishedName(names)
                })
        }
    }

    // MARK: - TPM

    @Test("TPM: the chip states this key, for this registration")
    func tpm() async throws {
        try await expect(.tpm(.notGenerated), .tpm, maker: { $0.changingTPM = { $0.magic = 1 } })
        try await expect(.tpm(.wrongStatementType), .tpm, maker: { $0.changingTPM = { $0.type = 0x8018 } })
        try await expect(.tpm(.wrongQualification), .tpm, maker: { $0.changingTPM = { $0.qualification[0] ^= 1 } })
        try await expect(.tpm(.wrongName), .tpm, maker: { $0.changingTPM = { $0.certifiedName = [0, 0x0B] } })
        try await expect(.tpm(.malformed(.attest)), .tpm, maker: { $0.changingTPM = { $0.trailing = [0] } })
        try await expect(
            .tpm(.malformed(.publicArea)), .tpm, maker: { $0.changingTPM = { $0.publicArea.trailing = [0] } })
        try await expect(.tpm(.keyKind), .tpm, maker: { $0.changingTPM = { $0.publicArea.type = 8 } })
        let other = P256.Signing.PrivateKey().publicKey
        try await expect(
            .tpm(.foreignKey), .tpm, maker: { $0.changingTPM = { $0.publicArea = .init(other, attributes: 0) } })
        try await expect(
            .tpm(.foreignKey), .tpm, authenticator: SoftwareAuthenticator(try .new(.eddsa)))
        // A key that signs with ECDSA and SHA-256 only.
        let ecdsa: @Sendable (inout SyntheticTPMStatement) -> Void = {
            $0.publicArea.algorithms = [0x0010, 0x0018, 0x000B, 0x0003, 0x0010]
        }
        #expect(try await accepted(.tpm, maker: { $0.changingTPM = ecdsa }).attestation == .certified)
        // Octets that the standard ignores.
        #expect(try await accepted(.tpm, maker: { $0.changingTPM = { $0.isSafe = 0x33 } }).attestation == .certified)
    }

    @Test("TPM: the certified key signs, and its certificate is one of a chip")
    func tpmCertificate() async throws {
        try await expect(.syntax, .tpm, answer: { $0.statement["ver"] = .text("1.2") })
        try await expect(.signature, .tpm, answer: { $0.statement["sig"] = .bytes([0x30, 0]) })
        try await expect(.algorithm, .tpm, answer: { $0.statement["alg"] = .integer(-257) })
        try await expect(.certificateForm, .tpm, maker: { $0.isAuthority = true })
        try await expect(.certificateForm, .tpm, maker: { $0.usages = [] })
        try await expect(.certificateForm, .tpm, maker: { $0.usages = [[2, 23, 133, 8, 1]] })
        try await expect(.certificateForm, .tpm, maker: { $0.subject = try DistinguishedName { CommonName("x") } })
        for missing in 0..<3 {
            try await expect(.certificateForm, .tpm, maker: { $0.chipAttributes.remove(at: missing) })
        }
    }

    @Test("TPM: keys of RSA have the size and the scheme that they state")
    func tpmRSA() async throws {
        let authenticator = SoftwareAuthenticator(try .new(.rs256))
        let places: [(Int, TPMRefusal)] = [
            (3, .keyKind), (11, .keyKind), (13, .keyKind), (14, .malformed(.publicArea)), (18, .foreignKey),
            (30, .foreignKey),
        ]
        func scheme(_ digest: UInt8, _ key: PasskeyKeyPair) async throws -> MadeRegistration {
            let ceremonies = try PasskeyCeremonies(trusting: maker)
            var made = try SoftwareAuthenticator(key).registration(ceremonies.creation, .tpm, by: maker)
            var area = try #require(made.statement["pubArea"]?.octets)
            area.replaceSubrange(12..<14, with: [0, 0x14, 0, digest])
            made.statement["pubArea"] = .bytes(area)
            return made
        }
        let ceremonies = try PasskeyCeremonies(trusting: maker)
        // The area is read, and then it is another than the certified one.
        for (digest, refusal): (UInt8, TPMRefusal) in [(0x0B, .wrongName), (0x0C, .keyKind)] {
            let made = try await scheme(digest, authenticator.key)
            await ceremonies.expectRefusal(.statement(.tpm(refusal)), step: 22, of: made.text)
        }
        for (place, refusal) in places {
            try await expect(
                .tpm(refusal), .tpm, authenticator: authenticator,
                answer: {
                    var area = try #require($0.statement["pubArea"]?.octets)
                    area[place] ^= 1
                    $0.statement["pubArea"] = .bytes(area)
                })
        }
    }

    // MARK: - Android, Apple, U2F

    @Test("Android: the key store states this key, for this registration")
    func androidKey() async throws {
        let other = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey)
        try await expect(.signature, .androidKey, maker: { $0.certifiedKey = other })
        // A key that signs for itself, beside the one of the answer.
        let signing = P256.Signing.PrivateKey()
        try await expect(
            .foreignKey, .androidKey, maker: { $0.certifiedKey = .init(signing.publicKey) },
            answer: {
                let signed = $0.authenticatorData + Array(SHA256.hash(data: $0.clientData))
                $0.statement["sig"] = .bytes(Array(try signing.signature(for: signed).derRepresentation))
            }
        )
        try await expect(.signature, .androidKey, answer: { $0.statement["sig"] = .bytes([]) })
        try await expect(.algorithm, .androidKey, answer: { $0.statement["alg"] = .integer(-257) })
        let changes: [(AndroidRefusal, @Sendable (inout SyntheticAndroidKey) -> Void)] = [
            (.extensionMissing, { $0.hasDescription = false }), (.malformed, { $0.trailing = [0] }),
            (.wrongChallenge, { $0.challenge[0] ^= 1 }), (.access, { $0.software[600] = [5, 0] }),
            (.access, { $0.hardware[600] = [5, 0] }), (.securityLevel, { $0.attestationLevel = 0 }),
            (.securityLevel, { $0.keyLevel = 0 }), (.origin, { $0.hardware[702] = SyntheticAndroidKey.integer(2) }),
            (.origin, { $0.hardware[702] = nil }), (.purpose, { $0.hardware[1] = SyntheticAndroidKey.set([2, 3]) }),
            (.purpose, { $0.hardware[1] = nil }),
        ]
        for (refusal, change) in changes {
            try await expect(.android(refusal), .androidKey, maker: { $0.changingAndroid = change })
        }
    }

    @Test("Android: where software may hold the key, what is stated still has to be right")
    func androidSoftware() async throws {
        let lenient: (inout PasskeyCeremonies) -> Void = { $0.settings.attestation.requiresAndroidHardware = false }
        let sound: [@Sendable (inout SyntheticAndroidKey) -> Void] = [
            { $0.keyLevel = 0 }, { $0.hardware[702] = nil },
            {
                $0.hardware = [:]
                $0.software[702] = SyntheticAndroidKey.integer(0)
            },
        ]
        for change in sound {
            let passkey = try await accepted(.androidKey, maker: { $0.changingAndroid = change }, ceremony: lenient)
            #expect(passkey.attestation == .certified)
        }
        var ceremonies = try PasskeyCeremonies(trusting: maker)
        lenient(&ceremonies)
        let wrong: [(AndroidRefusal, @Sendable (inout SyntheticAndroidKey) -> Void)] = [
            (.origin, { $0.software[702] = SyntheticAndroidKey.integer(2) }),
            (.origin, { $0.hardware[702] = SyntheticAndroidKey.integer(2) }),
            (.purpose, { $0.software[1] = SyntheticAndroidKey.set([3]) }),
        ]
        for (refusal, change) in wrong {
            var maker = maker
            maker.changingAndroid = change
            let made = try authenticator.registration(ceremonies.creation, .androidKey, by: maker)
            await ceremonies.expectRefusal(.statement(.android(refusal)), step: 22, of: made.text)
        }
    }

    @Test("Apple: the certificate is one of this key, for this registration")
    func apple() async throws {
        try await expect(.nonce, .apple, maker: { $0.nonce = [UInt8](repeating: 0, count: 32) })
        try await expect(
            .nonce, .apple,
            answer: { $0.clientData.insert(contentsOf: Array(",\"a\":1".utf8), at: $0.clientData.count - 1) })
        let other = Certificate.PublicKey(P256.Signing.PrivateKey().publicKey)
        try await expect(.foreignKey, .apple, maker: { $0.certifiedKey = other })
    }

    @Test("U2F: a token signs a key on P-256, with one certificate")
    func fidoU2F() async throws {
        try await expect(.signature, .fidoU2F, answer: { $0.statement["sig"] = .bytes([]) })
        try await expect(.algorithm, .fidoU2F, maker: { $0.key = try .new(.eddsa) })
        let chain = try maker.authority.certificates(for: .init(P256.Signing.PrivateKey().publicKey))
        try await expect(.syntax, .fidoU2F, answer: { $0.statement["x5c"] = .array(chain.map(CBORValue.bytes)) })
        try await expect(
            .foreignKey, .fidoU2F, authenticator: SoftwareAuthenticator(try .new(.eddsa)),
            answer: { $0.statement = ["sig": .bytes([]), "x5c": .array([.bytes(chain[0])])] })
    }

    // MARK: - Trust

    @Test("Certificates that have expired, or that a model names itself, are judged at the time of the registration")
    func path() async throws {
        let ceremonies = try PasskeyCeremonies(trusting: maker)
        let made = try authenticator.registration(ceremonies.creation, .packed, by: maker)
        let leaf = try #require(made.statement["x5c"]?.elements?.first?.octets)
        for (year, isValid) in [(2019.0, false), (2026, true), (2200, false)] {
            let time = Date(timeIntervalSince1970: (year - 1970) * 365.25 * 86_400)
            for roots in [try TrustRoots([maker.authority.root]), try TrustRoots([leaf])] {
                var settings = ceremonies.settings
                settings.attestation.roots = roots
                let passkey = try? await PasskeyVerification(settings: settings).registration(
                    try RegistrationAnswer(made.text), for: ceremonies.creation, isRegistered: false, at: time)
                #expect((passkey?.attestation == .certified) == isValid)
            }
        }
    }

    @Test("The roots of a model that metadata describe are the only ones for it; a revoked model is refused")
    func models() async throws {
        let model = try #require(AAGUID(octets: authenticator.model))
        #expect(AAGUID(octets: [UInt8](repeating: 0, count: 15)) == nil)
        #expect(model.description == "4d4d4d4d-4d4d-4d4d-4d4d-4d4d4d4d4d4d")
        var ceremonies = try PasskeyCeremonies(trusting: maker)
        let made = try authenticator.registration(ceremonies.creation, .packed, by: maker)
        func describe(_ authority: AttestationAuthority, isRevoked: Bool = false) throws {
            ceremonies.settings.attestation.models[model] = PasskeyModel(
                name: "Model", roots: try TrustRoots([authority.root]), isRevoked: isRevoked)
        }
        try describe(maker.authority)
        #expect(try await ceremonies.registration(made.text).attestation == .certified)
        try describe(try AttestationAuthority())
        await ceremonies.expectRefusal(.certificatePath(.noValidPath), step: 24, of: made.text)
        try describe(maker.authority, isRevoked: true)
        await ceremonies.expectRefusal(.revokedModel, step: 24, of: made.text)
        await ceremonies.expectRefusal(
            .revokedModel, step: 24, of: try authenticator.registration(ceremonies.creation).text)
    }
}
