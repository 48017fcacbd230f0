/// How often the secret of a key was wrong since it was last right.
public struct KeyAttempts: Hashable, Sendable {
    /// Wrong secrets in a row.
    public let failures: UInt8
    /// How many there may be; at this number the key can never be used again.
    public let limit: UInt8

    /// States a count; vaults do.
    public init(failures: UInt8, limit: UInt8) {
        self.failures = failures
        self.limit = limit
    }

    /// Whether the key can never be used again.
    public var isExhausted: Bool { failures >= limit }
}
