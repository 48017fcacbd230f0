/// What is stored of a password: the result of scrypt (RFC 7914) with its salt and cost.
package struct PasswordRecord: Sendable, Hashable {
    /// Length of salt and hash in bytes.
    package static let byteCount = 32

    /// Random bytes, other for each password.
    package let salt: [UInt8]
    /// The cost the hash was made with.
    package let cost: PasswordHashCost
    /// The derived bytes.
    package let hash: [UInt8]

    /// Takes stored parts; nil when salt or hash do not have 32 bytes.
    package init?(salt: [UInt8], cost: PasswordHashCost, hash: [UInt8]) {
        guard salt.count == Self.byteCount, hash.count == Self.byteCount else { return nil }
        self.salt = salt
        self.cost = cost
        self.hash = hash
    }

    init(known salt: [UInt8], cost: PasswordHashCost, hash: [UInt8]) {
        self.salt = salt
        self.cost = cost
        self.hash = hash
    }
}
