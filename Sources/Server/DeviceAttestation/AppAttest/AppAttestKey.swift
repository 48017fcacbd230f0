import Crypto
package import FoundationEssentials
import StrictCBOR
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
        guard let nonce = leaf.appleNonce else { throw .nonceMissing }
        guard SHA256.hash(data: object.authenticatorData + clientDataHash).elementsEqual(nonce) else {
            throw .wrongNonce
        }
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
