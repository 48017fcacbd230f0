import Crypto
import CryptoExtras
import Octets

/// Stored form of a password: the result of scrypt (RFC 7914) with its salt and cost.
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

/// The work that one scrypt evaluation takes (RFC 7914); block size 8, no parallelism.
package struct PasswordHashCost: Sendable, Hashable {
    /// The least that production accepts: 16 MiB.
    package static let minimum = PasswordHashCost(uncheckedRounds: 1 << 14)
    /// The default for new passwords: 32 MiB.
    package static let standard = PasswordHashCost(uncheckedRounds: 1 << 15)

    /// The parameter N.
    package let rounds: Int

    /// Takes a power of two between 2^14 and 2^20; nil for anything else.
    package init?(rounds: Int) {
        guard (Self.minimum.rounds...1 << 20).contains(rounds), rounds.nonzeroBitCount == 1 else { return nil }
        self.rounds = rounds
    }

    /// Takes any power of two, without the limits: for what is stored already, and for cheap hashes.
    package init(uncheckedRounds: Int) {
        rounds = uncheckedRounds
    }
}

extension PasswordRecord {
    /// Hashes a new password; `salt` has 32 random bytes.
    init(hashing password: [UInt8], salt: [UInt8], cost: PasswordHashCost) {
        precondition(salt.count == Self.byteCount, "a salt has 32 bytes")
        self.init(known: salt, cost: cost, hash: Self.derive(password, salt: salt, cost: cost))
    }

    /// Throws unless `password` is the one that was hashed.
    func requireMatch(_ password: [UInt8]) throws(ConstantTimeEquality.Difference) {
        try ConstantTimeEquality.require(Self.derive(password, salt: salt, cost: cost), equals: hash)
    }

    private static func derive(_ password: [UInt8], salt: [UInt8], cost: PasswordHashCost) -> [UInt8] {
        let derived = try? KDF.Scrypt.deriveKey(
            from: password, salt: salt, outputByteCount: byteCount, rounds: cost.rounds, blockSize: 8, parallelism: 1,
            maxMemory: 2 * 128 * 8 * cost.rounds)
        guard let derived else { preconditionFailure("scrypt takes every cost that PasswordHashCost holds") }
        return derived.withUnsafeBytes { Array($0) }
    }
}
