import Crypto
import CryptoExtras
package import FoundationEssentials
import SwiftASN1
import X509

/// Key that the manufacturer of a chip has certified: it decrypts credentials, and signs nothing.
package struct EndorsementKey: Hashable, Sendable {
    /// Kinds of endorsement keys that have a template of the TCG and that credentials are made for here.
    enum Kind: Hashable {
        /// P-256 with SHA-256 and AES-128 (templates L-2 and H-2).
        case p256
        /// P-384 with SHA-384 and AES-256 (template H-3).
        case p384
        /// RSA with 2048 bits, the exponent 65537, SHA-256 and AES-128 (template L-1).
        case rsa2048
    }

    /// Usage of the certificate of an endorsement key (tcg-kp-EKCertificate).
    private static let endorsementUsage = ExtendedKeyUsage.Usage(oid: [2, 23, 133, 8, 1])
    /// Critical where the subject is empty, which it is in most of these certificates.
    private static let alternativeNames: ASN1ObjectIdentifier = [2, 5, 29, 17]

    let kind: Kind
    /// The point, uncompressed (X9.63), or the modulus.
    let octets: [UInt8]

    /// The key of the first of these certificates (DER), once their path ends at a root of a manufacturer at this time
    /// (TCG EK Credential Profile 2.5, section 3).
    ///
    /// Throws ``TPMRefusal``: `endorsementPath`, `endorsementUsage`, or `endorsementKeyKind`.
    package init(_ certificates: [[UInt8]], endingAt roots: TrustRoots, at time: Date) async throws(TPMRefusal) {
        let leaf: Certificate
        do throws(PathRefusal) {
            let path = try await roots.path(of: certificates, at: time, processing: [Self.alternativeNames])
            guard let first = path.first else { throw .malformed }
            leaf = first
        } catch {
            throw .endorsementPath(error)
        }
        try Self.requireUsage(of: leaf)
        if let key = P256.Signing.PublicKey(leaf.publicKey) {
            (kind, octets) = (.p256, Array(key.x963Representation))
        } else if let key = P384.Signing.PublicKey(leaf.publicKey) {
            (kind, octets) = (.p384, Array(key.x963Representation))
        } else if let modulus = Self.modulus(of: leaf) {
            (kind, octets) = (.rsa2048, modulus)
        } else {
            throw .endorsementKeyKind
        }
    }

    /// The modulus of an RSA key that credentials can be made for.
    private static func modulus(of leaf: Certificate) -> [UInt8]? {
        guard let key = _RSA.Signing.PublicKey(leaf.publicKey), let numbers = try? key.getKeyPrimitives(),
            numbers.publicExponent.elementsEqual([1, 0, 1]), numbers.modulus.count == RSAEncryption.byteCount
        else { return nil }
        return Array(numbers.modulus)
    }

    private static func requireUsage(of leaf: Certificate) throws(TPMRefusal) {
        guard let usages = try? leaf.extensions.extendedKeyUsage, usages.contains(endorsementUsage) else {
            throw .endorsementUsage
        }
        if case .isCertificateAuthority? = try? leaf.extensions.basicConstraints { throw .endorsementUsage }
    }
}
