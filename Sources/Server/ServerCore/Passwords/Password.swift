import Crypto
import CryptoExtras
import Octets

/// Stored form of a password: the result of scrypt (RFC 7914) with its salt and cost.
package struct PasswordRecord: Sendable, Hashable {
    /// Length of salt and hash in bytes.
    package static let byteCount = 32

    /// Random bytes, other for each password.
    package let salt: [UInt8]
    package let cost: PasswordHashCost
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
    /// The least that the configuration takes for new passwords: 16 MiB.
    package static let minimum = PasswordHashCost(known: 1 << 14)
    /// The default for new passwords: 32 MiB.
    package static let standard = PasswordHashCost(known: 1 << 15)
    /// Next to nothing: 16 KiB, for hashes that keep no secret.
    package static let cheapest = PasswordHashCost(known: 1 << 4)

    /// Upper limit of ``rounds``: 1 GiB.
    private static let limit = 1 << 20

    /// The parameter N.
    package let rounds: Int

    /// Takes a power of two between 2^14 and 2^20; nil for anything else.
    package init?(rounds: Int) {
        guard rounds >= Self.minimum.rounds else { return nil }
        self.init(stored: rounds)
    }

    /// Takes the cost of a password that is stored, a power of two between 2 and 2^20; nil for anything else, which
    /// scrypt could not work with.
    package init?(stored rounds: Int) {
        guard (2...Self.limit).contains(rounds), rounds.nonzeroBitCount == 1 else { return nil }
        self.rounds = rounds
    }

    private init(known rounds: Int) {
        self.rounds = rounds
    }
}

extension PasswordRecord {
    /// Time after which the memory that is missing may be there.
    private static let retryTime: Duration = .seconds(5)

    /// Hashes a new password with a fresh salt.
    ///
    /// Throws ``ServerError/overloaded(retryAfter:)`` when the memory for the cost is not available.
    package init(hashing password: [UInt8], cost: PasswordHashCost, random: any RandomSource) throws(ServerError) {
        let salt = random.bytes(count: Self.byteCount)
        self.init(known: salt, cost: cost, hash: try Self.derive(password, salt: salt, cost: cost))
    }

    /// Whether `password` is the one that was hashed, compared in constant time.
    ///
    /// Throws ``ServerError/overloaded(retryAfter:)`` when there is not the memory that the cost takes.
    package func matches(_ password: [UInt8]) throws(ServerError) -> Bool {
        let derived = try Self.derive(password, salt: salt, cost: cost)
        return (try? ConstantTimeEquality.require(derived, equals: hash)) != nil
    }

    /// The library takes every cost that ``PasswordHashCost`` holds; what is left to fail is its memory.
    private static func derive(
        _ password: [UInt8], salt: [UInt8], cost: PasswordHashCost
    ) throws(ServerError) -> [UInt8] {
        let derived = try? KDF.Scrypt.deriveKey(
            from: password, salt: salt, outputByteCount: byteCount, rounds: cost.rounds, blockSize: 8, parallelism: 1,
            maxMemory: 2 * 128 * 8 * cost.rounds)
        guard let derived else { throw .overloaded(retryAfter: retryTime) }
        return derived.withUnsafeBytes { Array($0) }
    }
}

extension PasswordRecord {
    /// Record that no password matches, and that takes as long to check as one of this cost.
    package init(standingIn cost: PasswordHashCost, random: any RandomSource) {
        self.init(
            known: random.bytes(count: Self.byteCount), cost: cost, hash: random.bytes(count: Self.byteCount))
    }
}
