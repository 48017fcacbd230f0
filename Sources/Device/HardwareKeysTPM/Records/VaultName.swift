import HardwareKeys

/// The name of a vault, 16 bytes by chance; what carries another one belongs to another vault.
struct VaultName: Hashable, Sendable {
    static let byteCount = 16

    let bytes: [UInt8]

    static func fresh() -> VaultName { VaultName(bytes: FreshOctets.make(count: byteCount)) }
}
