import Crypto
import CryptoExtras
import Foundation
import StrictCBOR
import SwiftASN1
import TestSupport
import WebAuthn
import X509

/// Maker of authenticators: certifies their keys with an authority of our own; each test changes one thing.
struct SoftwareMaker: Sendable {
    let authority: AttestationAuthority
    /// Key that signs statements for the maker.
    var key = PasskeyKeyPair.es256(P256.Signing.PrivateKey())
    var subject: DistinguishedName?
    /// Extensions of the first certificate beside the ones of the format.
    var extensions: [Certificate.Extension] = []
    var isAuthority = false
    /// Usages of the key of a chip; names in its certificate.
    var usages: [ASN1ObjectIdentifier] = [[2, 23, 133, 8, 3]]
    var chipAttributes: [ASN1ObjectIdentifier] = [[2, 23, 133, 2, 1], [2, 23, 133, 2, 2], [2, 23, 133, 2, 3]]
    /// Change of what a chip states.
    var changingTPM: @Sendable (inout SyntheticTPMStatement) -> Void = { _ in }
    /// Change of what Android states.
    var changingAndroid: @Sendable (inout SyntheticAndroidKey) -> Void = { _ in }
    /// Nonce in Apple's certificate; nil for the right one.
    var nonce: [UInt8]?
    /// Key that certificates of keys are about; nil for the right one.
    var certifiedKey: Certificate.PublicKey?

    init() throws {
        authority = try AttestationAuthority()
    }

    func statement(
        _ format: AttestationFormat, of authenticator: SoftwareAuthenticator, _ signed: SignedParts
    ) throws -> [String: CBORValue] {
        switch format {
        case .none: [:]
        case .packed: try packed(signed)
        case .tpm: try tpm(authenticator, signed)
        case .androidKey: try androidKey(authenticator, signed)
        case .apple: try apple(authenticator, signed)
        case .fidoU2F: try fidoU2F(authenticator, signed)
        }
    }

    // MARK: - Formats

    private func packed(_ signed: SignedParts) throws -> [String: CBORValue] {
        [
            "alg": .integer(key.algorithm.rawValue), "sig": .bytes(try key.sign(signed.octets)),
            "x5c": try chain(of: key.certified, wish(subject: try Self.packedSubject())),
        ]
    }

    static func packedSubject(unit: String = "Authenticator Attestation") throws -> DistinguishedName {
        try DistinguishedName {
            CountryName("CH")
            OrganizationName("Synthetic Maker")
            OrganizationalUnitName(unit)
            CommonName("Synthetic Model")
        }
    }

    private func tpm(
        _ authenticator: SoftwareAuthenticator, _ signed: SignedParts
    ) throws -> [String: CBORValue] {
        let qualification = Array(SHA256.hash(data: signed.octets))
        var area = try Self.rsaArea(authenticator.key)
        // A key on P-256 that nothing uses where the area is one of RSA.
        var key = P256.Signing.PrivateKey()
        if case .es256(let own) = authenticator.key { key = own }
        var statement = SyntheticTPMStatement(about: key.publicKey, qualification: qualification)
        // No scheme, as chips state keys of passkeys: symmetric, scheme, curve, derivation.
        statement.publicArea.algorithms = [0x0010, 0x0010, 0x0003, 0x0010]
        if !area.isEmpty { statement.certifiedName = [0, 0x0B] + SHA256.hash(data: area) }
        changingTPM(&statement)
        if area.isEmpty { area = statement.publicArea.octets }
        var wish = wish(subject: DistinguishedName())
        wish.usages = usages
        wish.extensions.append(try Self.chipNames(chipAttributes))
        return [
            "ver": .text("2.0"), "alg": .integer(self.key.algorithm.rawValue),
            "sig": .bytes(try self.key.sign(statement.attest)), "x5c": try chain(of: self.key.certified, wish),
            "certInfo": .bytes(statement.attest), "pubArea": .bytes(area),
        ]
    }

    /// TPMT_PUBLIC of a key of RSA with the exponent 65537; empty for other keys.
    private static func rsaArea(_ key: PasskeyKeyPair) throws -> [UInt8] {
        guard case .rs256(let key) = key else { return [] }
        let head: [UInt8] = [0, 1, 0, 0x0B, 0, 4, 0, 0x72, 0, 0, 0, 0x10, 0, 0x10, 8, 0, 0, 0, 0, 0, 1, 0]
        return head + PasskeyKeyPair.modulus(of: key)
    }

    private static func chipNames(_ types: [ASN1ObjectIdentifier]) throws -> Certificate.Extension {
        let name = try DistinguishedName(types.map { .init(type: $0, utf8String: "id:414D4400") })
        return try Certificate.Extension(SubjectAlternativeNames([.directoryName(name)]), critical: true)
    }

    private func androidKey(
        _ authenticator: SoftwareAuthenticator, _ signed: SignedParts
    ) throws -> [String: CBORValue] {
        var description = SyntheticAndroidKey(challenge: signed.clientDataDigest)
        changingAndroid(&description)
        var wish = wish(subject: nil)
        if description.hasDescription { wish.extensions.append(description.descriptionExtension) }
        return [
            "alg": .integer(authenticator.key.algorithm.rawValue),
            "sig": .bytes(try authenticator.key.sign(signed.octets)),
            // Certificates of Android end with the root.
            "x5c": .array(
                try authority.certificates(for: certified(certifiedKey ?? authenticator.key.certified), wish)
                    .map(CBORValue.bytes) + [.bytes(authority.root)]),
        ]
    }

    private func apple(
        _ authenticator: SoftwareAuthenticator, _ signed: SignedParts
    ) throws -> [String: CBORValue] {
        let nonce = nonce ?? Array(SHA256.hash(data: signed.octets))
        var wish = wish(subject: nil)
        wish.extensions.append(
            .init(
                oid: [1, 2, 840, 113635, 100, 8, 2], critical: false,
                value: ([0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + nonce)[...]))
        return ["x5c": try chain(of: certifiedKey ?? authenticator.key.certified, wish)]
    }

    private func fidoU2F(
        _ authenticator: SoftwareAuthenticator, _ signed: SignedParts
    ) throws -> [String: CBORValue] {
        guard case .es256(let own) = authenticator.key else { return [:] }
        let message = [0] + signed.report.prefix(32) + signed.clientDataDigest + authenticator.id
        let certificates = try authority.certificates(for: try certified(key.certified), wish(subject: nil))
        return [
            "sig": .bytes(try key.sign(message + own.publicKey.x963Representation)),
            "x5c": .array([.bytes(certificates[0]), .bytes(certificates[1])].prefix(1).map(\.self)),
        ]
    }

    // MARK: - Certificates

    private struct NoCertificate: Error {}

    private func certified(_ key: Certificate.PublicKey?) throws -> Certificate.PublicKey {
        guard let key else { throw NoCertificate() }
        return key
    }

    private func chain(
        of key: Certificate.PublicKey?, _ wish: AttestationAuthority.Wish
    ) throws -> CBORValue {
        .array(try authority.certificates(for: try certified(key), wish).map(CBORValue.bytes))
    }

    private func wish(subject: DistinguishedName?) -> AttestationAuthority.Wish {
        var wish = AttestationAuthority.Wish(extensions: extensions)
        if let subject = self.subject ?? subject { wish.subject = subject }
        wish.isAuthority = isAuthority
        return wish
    }
}
