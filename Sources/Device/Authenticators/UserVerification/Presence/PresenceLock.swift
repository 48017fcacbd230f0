import HardwareKeys

/// What is stored for a key that the operating system verifies the user for.
struct PresenceLock: Hashable, Sendable {
    /// Number of bytes of ``enrollmentDigest``.
    static let digestByteCount = 32

    /// What the user has to pass.
    let gate: UserGate
    /// What was enrolled at the registration; nil for a key that outlives changes.
    let enrollmentDigest: [UInt8]?
}
