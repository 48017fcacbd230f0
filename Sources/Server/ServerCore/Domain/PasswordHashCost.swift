/// The work that one scrypt evaluation takes (RFC 7914); block size 8, no parallelism.
package struct PasswordHashCost: Sendable, Hashable {
    /// The least that production accepts: 16 MiB.
    package static let minimum = PasswordHashCost(testRounds: 1 << 14)
    /// The default for new passwords: 32 MiB.
    package static let standard = PasswordHashCost(testRounds: 1 << 15)

    /// The parameter N.
    package let rounds: Int

    /// Takes a power of two between 2^14 and 2^20; nil for anything else.
    package init?(rounds: Int) {
        guard (Self.minimum.rounds...1 << 20).contains(rounds), rounds.nonzeroBitCount == 1 else { return nil }
        self.rounds = rounds
    }

    /// Takes any power of two, for tests.
    package init(testRounds: Int) {
        rounds = testRounds
    }
}
