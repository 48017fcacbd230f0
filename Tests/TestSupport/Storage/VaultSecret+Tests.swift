package import HardwareKeys

extension VaultSecret {
    /// The bytes, for comparisons in tests.
    package var exposed: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Secret made of one repeated byte.
    package static func repeating(_ byte: UInt8) -> VaultSecret {
        guard let secret = VaultSecret(copying: [UInt8](repeating: byte, count: byteCount)) else {
            preconditionFailure("the length is right")
        }
        return secret
    }
}
