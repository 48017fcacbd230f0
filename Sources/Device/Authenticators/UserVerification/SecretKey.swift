import Crypto
import Octets

/// A private key for UAF assertions (P-256), in the open; it never leaves this module and is wiped when let go of.
///
/// It signs only what ``RegisterCommand`` and ``SignCommand`` build (SEC-24).
final class SecretKey: Sendable {
    private let scalar: SecretOctets

    /// Takes the 32 bytes of a private key.
    init(_ scalar: consuming SecretOctets) {
        self.scalar = scalar
    }

    /// Makes a new key pair.
    convenience init() {
        var scalar = Array(P256.Signing.PrivateKey().rawRepresentation)
        defer { SecretOctets.wipe(&scalar) }
        self.init(SecretOctets(copying: scalar))
    }

    /// The public key as SubjectPublicKeyInfo.
    func publicKey() throws(AuthenticatorError) -> [UInt8] {
        Array(try signingKey().publicKey.derRepresentation)
    }

    /// ECDSA with SHA-256 as a DER sequence (algorithm 0x0002).
    func signature(over octets: [UInt8]) throws(AuthenticatorError) -> [UInt8] {
        let key = try signingKey()
        do {
            return Array(try key.signature(for: octets).derRepresentation)
        } catch {
            throw .keyDisappearedPermanently
        }
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try scalar.withUnsafeBytes(body)
    }

    private func signingKey() throws(AuthenticatorError) -> P256.Signing.PrivateKey {
        do {
            return try scalar.withUnsafeBytes { try P256.Signing.PrivateKey(rawRepresentation: $0) }
        } catch {
            throw .keyDisappearedPermanently
        }
    }
}
