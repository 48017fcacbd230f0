import Crypto
package import Octets

/// The key from a file that encrypts all keys in the database.
///
/// A copy of the database without the file opens no sealed state and signs no token.
package final class MasterKey: Sendable {
    package static let byteCount = 32

    private let key: SymmetricKey

    /// Takes the bytes of the file; throws ``ServerError/invalidMasterKey`` unless there are 32.
    package init(_ secret: consuming SecretOctets) throws(ServerError) {
        guard secret.count == Self.byteCount else { throw .invalidMasterKey }
        key = secret.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    package static func fresh(from random: some RandomSource) -> SecretOctets {
        var bytes = random.bytes(count: byteCount)
        let secret = SecretOctets(copying: bytes)
        SecretOctets.wipe(&bytes)
        return secret
    }

    func seal(_ material: SymmetricKey, binding: [UInt8], nonce: [UInt8]) -> [UInt8] {
        let bytes = material.withUnsafeBytes { Array($0) }
        return AuthenticatedEncryption.seal(bytes, key: key, nonce: nonce, binding: binding)
    }

    func open(_ wrapped: [UInt8], binding: [UInt8]) throws(ServerError) -> SymmetricKey {
        do {
            return SymmetricKey(data: try AuthenticatedEncryption.open(wrapped, key: key, binding: binding))
        } catch {
            throw .wrongMasterKey
        }
    }
}
