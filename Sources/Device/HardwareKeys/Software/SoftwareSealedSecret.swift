import Crypto
import Octets

/// The sealed secrets of a software vault: `SGNS`, version, the name of the vault, then gate and secret, sealed.
///
/// The name of the vault (16 bytes, derived from its device key) tells another device from changed bytes.
struct SoftwareSealedSecret: Sendable {
    private static let magic = Array("SGNS".utf8)
    private static let version: UInt8 = 1
    private static let nameByteCount = 16
    private static let context = VaultSeal.Context("sealed secret")

    private let seal: VaultSeal
    private let header: [UInt8]

    init(_ seal: VaultSeal) {
        self.seal = seal
        let name = seal.derived(for: VaultSeal.Context("vault name")).withUnsafeBytes {
            Array($0.prefix(Self.nameByteCount))
        }
        header = Self.magic + [Self.version] + name
    }

    func seal(_ secret: VaultSecret, behind gate: UserGate?) throws(KeyVaultError) -> SealedSecret {
        let plain = SecretOctets(count: 1 + VaultSecret.byteCount) { target in
            target[0] = gate?.rawValue ?? 0
            secret.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[1...]).copyMemory(from: $0) }
        }
        let sealed = try plain.withUnsafeBytes { bytes throws(KeyVaultError) in try seal.seal(bytes, for: Self.context)
        }
        guard let result = SealedSecret(bytes: header + sealed) else { throw .unsupportedRequirements }
        return result
    }

    func open(_ sealed: SealedSecret) throws(KeyVaultError) -> (secret: VaultSecret, gate: UserGate?) {
        guard sealed.bytes.count > header.count, sealed.bytes.starts(with: Self.magic) else { throw .damaged }
        let version = sealed.bytes[Self.magic.count]
        guard version == Self.version else {
            throw version > Self.version ? .newerFormat(version: version) : .damaged
        }
        guard sealed.bytes.starts(with: header) else { throw .unrecoverable }
        guard let plain = seal.open(sealed.bytes.dropFirst(header.count), for: Self.context) else { throw .damaged }
        return try plain.withUnsafeBytes { plain throws(KeyVaultError) in
            guard let kind = plain.first, let secret = VaultSecret(copying: plain.dropFirst()) else { throw .damaged }
            guard kind != 0 else { return (secret, nil) }
            guard let gate = UserGate(rawValue: kind) else { throw .damaged }
            return (secret, gate)
        }
    }
}
