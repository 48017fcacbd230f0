import Crypto
import HardwareKeys
import Octets

/// The outside of the store's file: header, then AES-256-GCM over everything inside.
///
/// Header, 40 bytes and authenticated: `SGNC`, version 3, three zero bytes, salt 32. Each file has a fresh salt and so a
/// key of its own: no nonce can meet a second time under one key.
struct CredentialFileSeal: Sendable {
    static let byteLimit = 1 << 20
    private static let magic = Array("SGNC".utf8)
    private static let version: UInt8 = 3
    private static let saltByteCount = 32
    private static let headerByteCount = 40

    private let root: SymmetricKey

    init(_ secret: VaultSecret) {
        root = secret.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    func seal(_ contents: StoredCredentials) throws(CredentialStoreError) -> [UInt8] {
        let salt = FreshOctets.make(count: Self.saltByteCount)
        let header = Self.magic + [Self.version, 0, 0, 0] + salt
        var plain = contents.octets
        defer { SecretOctets.wipe(&plain) }
        do {
            let box = try AES.GCM.seal(plain, using: key(salt), authenticating: header)
            return header + Array(box.nonce) + box.ciphertext + box.tag
        } catch {
            throw .damaged
        }
    }

    func open(_ file: [UInt8]) throws(CredentialStoreError) -> StoredCredentials {
        guard file.count >= Self.headerByteCount, file.starts(with: Self.magic) else { throw .damaged }
        let version = file[Self.magic.count]
        guard version == Self.version else {
            throw version > Self.version ? .newerFormat(version: version) : .olderFormat(version: version)
        }
        let header = file.prefix(Self.headerByteCount)
        var plain: [UInt8]
        do {
            let box = try AES.GCM.SealedBox(combined: file.dropFirst(Self.headerByteCount))
            plain = Array(
                try AES.GCM.open(box, using: key(header.suffix(Self.saltByteCount)), authenticating: header))
        } catch {
            throw .damaged
        }
        defer { SecretOctets.wipe(&plain) }
        return try StoredCredentials(octets: plain)
    }

    private func key(_ salt: some Collection<UInt8>) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: root, salt: Array(salt), info: Array("signet credential file v1".utf8),
            outputByteCount: 32)
    }
}
