import HardwareKeys

/// The secret of one installation, made with the store and kept until it is deleted (ASMToken).
struct InstallationToken: Hashable, Sendable {
    static let byteCount = 32

    let octets: [UInt8]

    init(_ octets: [UInt8]) {
        self.octets = octets
    }

    static func fresh() -> InstallationToken {
        InstallationToken(FreshOctets.make(count: byteCount))
    }
}
