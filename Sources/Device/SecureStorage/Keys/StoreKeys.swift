import Crypto
import HardwareKeys
import Octets

/// The three keys that a loaded storage works with, made from its root key, which is not kept.
///
/// They lie in locked memory; each call makes the form that the cryptographic library wants and wipes it at its end.
final class StoreKeys: Sendable {
    private static let keyByteCount = 32
    private static let purposes: [StaticString] = ["SST1 index", "SST1 value", "SST1 mac"]

    private let octets: SecretOctets

    /// Derives the keys (HKDF-SHA256, RFC 5869).
    init(rootKey: VaultSecret) {
        octets = SecretOctets(count: Self.purposes.count * Self.keyByteCount) { target in
            for (index, purpose) in Self.purposes.enumerated() {
                let info = Array(purpose.description.utf8)
                let derived = rootKey.withUnsafeBytes { SecretHash.hkdf(from: $0, info: info) }
                let part = UnsafeMutableRawBufferPointer(rebasing: target[(index * Self.keyByteCount)...])
                derived.withUnsafeBytes { part.copyMemory(from: $0) }
            }
        }
    }

    /// Encrypts the list of entries.
    var index: SymmetricKey { key(0) }
    var value: SymmetricKey { key(1) }

    /// Lends the key that authenticates the file, for the length of `body`.
    func withAuthenticationKey<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        octets.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[(2 * Self.keyByteCount)...])) }
    }

    private func key(_ number: Int) -> SymmetricKey {
        let start = number * Self.keyByteCount
        return octets.withUnsafeBytes { bytes in
            SymmetricKey(data: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Self.keyByteCount]))
        }
    }
}

extension StoreKeys {
    /// Bytes of a list, encrypted unless names are in clear.
    func sealed(_ list: [UInt8], isClear: Bool, _ environment: StorageEnvironment) throws(SecureStorageError) -> [UInt8]
    {
        guard !isClear else { return list }
        var list = list
        defer {
            FreedMemory.wipe(.roundKeys)
            SecretOctets.wipe(&list)
        }
        let sealed = list.withUnsafeBytes { try? SealedValue($0, using: index, nonce: environment.nonce()) }
        guard let sealed else { throw .limitExceeded }
        return Array(sealed.combined)
    }
}
