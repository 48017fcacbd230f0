public import Crypto
public import LocalAuthentication
public import Security

extension SecureEnclave.P256.Signing {
    /// A signing key in the Enclave of the current device.
    public struct PrivateKey {
        private let wrapped: WrappedKey
        private let key: Crypto.P256.Signing.PrivateKey
        private let context: LAContext?

        /// Makes a key.
        public init(
            compactRepresentable: Bool = true, accessControl: SecAccessControl,
            authenticationContext: LAContext? = nil
        ) throws {
            key = Crypto.P256.Signing.PrivateKey()
            wrapped = try WrappedKey(wrapping: key.rawRepresentation, for: .signing, under: accessControl)
            context = authenticationContext
        }

        /// Finds a key again.
        public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
            wrapped = try WrappedKey(dataRepresentation, for: .signing)
            key = try Crypto.P256.Signing.PrivateKey(rawRepresentation: wrapped.scalar)
            context = authenticationContext
        }

        /// The key as only this Enclave can use it.
        public var dataRepresentation: Data { wrapped.dataRepresentation }

        /// The public key.
        public var publicKey: Crypto.P256.Signing.PublicKey { key.publicKey }

        /// Signs with ECDSA and SHA-256.
        public func signature(for data: some DataProtocol) throws -> Crypto.P256.Signing.ECDSASignature {
            try wrapped.authorize(in: context)
            return try key.signature(for: data)
        }
    }
}
