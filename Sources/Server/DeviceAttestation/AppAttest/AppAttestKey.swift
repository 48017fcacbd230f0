import Crypto
package import FoundationEssentials
import StrictCBOR
import SwiftASN1
import X509

/// Key in the Secure Enclave of a genuine Apple device that a genuine application uses, as Apple has attested it.
///
/// The server keeps it, to verify the assertions that follow.
package struct AppAttestKey: Hashable, Sendable {
    /// The point, uncompressed (65 bytes, X9.63).
    package let publicKey: [UInt8]
    /// Identifier of the key: SHA-256 of the point.
    package let keyID: [UInt8]
    /// Identifier of the application: team, a full stop, bundle.
    package let application: String
    package let environment: AppAttestRequirement.Environment
    /// Receipt for Apple's assessment of fraud (PKCS #7); kept as it came, not judged.
    package let receipt: [UInt8]
    /// Counter of the last assertion that was taken; 0 for a new key.
    package var counter: UInt32

    package init(
        publicKey: [UInt8], keyID: [UInt8], application: String, environment: AppAttestRequirement.Environment,
        receipt: [UInt8], counter: UInt32
    ) {
        self.publicKey = publicKey
        self.keyID = keyID
        self.application = application
        self.environment = environment
        self.receipt = receipt
        self.counter = counter
    }
}

extension AppAttestKey {
    private static let nonceExtension: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 8, 2]

    /// Verifies the statement about a new key ("Validating apps that connect to your server", Apple).
    ///
    /// `clientDataHash` is the digest that the application gave to Apple, made of a challenge of this server. Throws
    /// ``AppAttestRefusal``.
    package init(
        attestation statement: [UInt8], keyID: [UInt8], clientDataHash: [UInt8],
        meeting requirement: AppAttestRequirement,
        endingAt roots: TrustRoots, at time: Date
    ) async throws(AppAttestRefusal) {
        let object = try AppAttestObject(statement)
        let leaf = try await Self.leaf(of: object.certificates, endingAt: roots, at: time)
        try Self.requireNonce(
            Array(SHA256.hash(data: object.authenticatorData + clientDataHash)), in: leaf)
        guard let certified = P256.Signing.PublicKey(leaf.publicKey) else { throw .keyKind }
        let point = Array(certified.x963Representation)
        guard SHA256.hash(data: point).elementsEqual(keyID) else { throw .wrongKeyID }
        let state = try AuthenticatorData(attestation: object.authenticatorData)
        guard let application = requirement.application(withDigest: state.applicationDigest) else {
            throw .foreignApplication
        }
        guard state.counter == 0 else { throw .counterNotZero }
        guard let credential = state.credential,
            let environment = requirement.environments.first(where: { $0.aaguid == credential.aaguid })
        else { throw .environment }
        guard credential.keyID == keyID else { throw .wrongKeyID }
        guard credential.point == point else { throw .foreignKey }
        self.init(
            publicKey: point, keyID: keyID, application: application, environment: environment,
            receipt: object.receipt, counter: 0)
    }

    private static func leaf(
        of certificates: [[UInt8]], endingAt roots: TrustRoots, at time: Date
    ) async throws(AppAttestRefusal) -> Certificate {
        do throws(PathRefusal) {
            guard let leaf = try await roots.path(of: certificates, at: time).first else { throw .malformed }
            return leaf
        } catch {
            throw .path(error)
        }
    }

    /// Requires the nonce in its extension: a sequence of one octet string with the explicit tag 1.
    private static func requireNonce(_ nonce: [UInt8], in leaf: Certificate) throws(AppAttestRefusal) {
        guard let value = leaf.extensions[oid: nonceExtension]?.value else { throw .nonceMissing }
        let found: ASN1OctetString?
        do {
            found = try DER.sequence(try DER.parse(value), identifier: .sequence) { nodes in
                try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
                    try ASN1OctetString(derEncoded: node)
                }
            }
        } catch {
            throw .nonceMissing
        }
        guard let found else { throw .nonceMissing }
        guard found.bytes.elementsEqual(nonce) else { throw .wrongNonce }
    }

    // MARK: - Assertions

    /// The key after an assertion over this digest, with the counter of the assertion.
    ///
    /// The signed message is the digest of the authenticator data and `clientDataHash`. Throws ``AppAttestRefusal``.
    package func asserted(
        _ assertion: [UInt8], clientDataHash: [UInt8], meeting requirement: AppAttestRequirement
    ) throws(AppAttestRefusal) -> AppAttestKey {
        let object = try AppAttestAssertion(assertion)
        let nonce = Array(SHA256.hash(data: object.authenticatorData + clientDataHash))
        guard let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: object.signature),
            key.isValidSignature(signature, for: nonce)
        else { throw .wrongSignature }
        let state = try AuthenticatorData(assertion: object.authenticatorData)
        guard requirement.application(withDigest: state.applicationDigest)?.utf8.elementsEqual(application.utf8) == true
        else { throw .foreignApplication }
        guard state.counter > counter else { throw .counterNotRisen }
        var next = self
        next.counter = state.counter
        return next
    }
}
