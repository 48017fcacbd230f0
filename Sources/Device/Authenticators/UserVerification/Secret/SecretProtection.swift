/// What a PIN or password costs to check: how new records are made, and which stored ones are accepted.
package struct SecretProtection: Hashable, Sendable {
    /// What applications get: N = 2^15, r = 8, p = 1, and nothing under N = 2^14 with r = 8.
    ///
    /// About a tenth of a second on a present phone, well under the half second that a person notices; the cost is fixed
    /// and not measured on each device, so that a slow moment of a device does not weaken its records.
    package static let production = SecretProtection(cost: .production, leastRounds: ScryptCost.leastRounds)

    /// The cost of new records.
    package let cost: ScryptCost
    private let leastRounds: Int

    /// Chooses another cost, and the least N of stored records; only tests do, to be fast.
    package init(cost: ScryptCost, leastRounds: Int) {
        self.cost = cost
        self.leastRounds = leastRounds
    }

    /// Throws ``ScryptCostError/tooCheap`` for a stored cost that could be searched too fast: with a lower N, or with so
    /// small an r that it takes less memory.
    package func require(_ stored: ScryptCost) throws(ScryptCostError) {
        guard stored.rounds >= leastRounds, stored.rounds * stored.blockSize >= leastRounds * cost.blockSize else {
            throw .tooCheap
        }
    }

    /// Whether a record of this cost is made anew after its secret was right: when it takes less memory (N r) or less
    /// work (N r p) than new ones.
    func outgrows(_ stored: ScryptCost) -> Bool {
        let (memory, newMemory) = (stored.rounds * stored.blockSize, cost.rounds * cost.blockSize)
        return memory < newMemory || memory * stored.parallelism < newMemory * cost.parallelism
    }
}
