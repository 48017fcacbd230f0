public import Crypto
public import LocalAuthentication
public import Security

extension SecureEnclave.P256.KeyAgreement {
    /// An agreement key in the Enclave of the current device.
    public struct PrivateKey {
        private let wrapped: WrappedKey
        private let key: Crypto.P256.KeyAgreement.PrivateKey
        private let context: LAContext?

        /// Makes a key.
        public init(
            compactRepresentable: Bool = true, accessControl: SecAccessControl,
            authenticationContext: LAContext? = nil
        ) throws {
            key = Crypto.P256.KeyAgreement.PrivateKey()
            wrapped = try WrappedKey(wrapping: key.rawRepresentation, for: .agreement, under: accessControl)
            context = authenticationContext
        }

        /// Finds a key again.
        public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
            wrapped = try WrappedKey(dataRepresentation, for: .agreement)
            key = try Crypto.P256.KeyAgreement.PrivateKey(rawRepresentation: wrapped.scalar)
            context = authenticationContext
        }

        /// The key as only this Enclave can use it.
        public var dataRepresentation: Data { wrapped.dataRepresentation }

        /// The public key.
        public var publicKey: Crypto.P256.KeyAgreement.PublicKey { key.publicKey }

        /// Agrees on a secret.
        public func sharedSecretFromKeyAgreement(
            with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
        ) throws -> SharedSecret {
            try wrapped.authorize(in: context)
            return try key.sharedSecretFromKeyAgreement(with: publicKeyShare)
        }
    }
}
