/// What a PIN or password costs to check: how new records are made, and which stored ones are accepted.
package struct SecretProtection: Hashable, Sendable {
    /// What applications get: N = 2^15, and nothing under N = 2^14.
    package static let production = SecretProtection(cost: .production, leastRounds: ScryptCost.leastRounds)

    /// The cost of new records.
    package let cost: ScryptCost
    private let leastRounds: Int

    /// Chooses another cost; only tests do, to be fast.
    package init(cost: ScryptCost, leastRounds: Int) {
        self.cost = cost
        self.leastRounds = leastRounds
    }

    /// Throws ``ScryptCostError/tooCheap`` for a stored cost that could be searched too fast.
    package func require(_ stored: ScryptCost) throws(ScryptCostError) {
        guard stored.rounds >= leastRounds else { throw .tooCheap }
    }

    /// Whether a record of this cost is made anew after its secret was right.
    func outgrows(_ stored: ScryptCost) -> Bool {
        stored.rounds < cost.rounds
    }
}
