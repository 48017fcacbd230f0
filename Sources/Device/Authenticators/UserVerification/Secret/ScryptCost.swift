/// The cost of deriving a key from a PIN or password (scrypt, RFC 7914); a value of this type can be computed.
package struct ScryptCost: Hashable, Sendable {
    /// Cost of new records: N = 2^15, r = 8, p = 1; 32 MiB and about a tenth of a second.
    package static let production = ScryptCost(checked: 1 << 15, blockSize: 8, parallelism: 1)
    /// The least that a stored record may cost outside tests: N.
    package static let leastRounds = 1 << 14
    /// The most memory that one derivation may take, in bytes.
    package static let memoryLimit = 256 << 20

    /// The CPU and memory cost N.
    package let rounds: Int
    package let blockSize: Int
    package let parallelism: Int

    /// Checks parameters before anything is allocated for them.
    ///
    /// `memoryLimit` is in bytes and bounds memory (128 N r) as well as work (128 N r p).
    package init(
        rounds: Int, blockSize: Int, parallelism: Int, memoryLimit: Int = ScryptCost.memoryLimit
    ) throws(ScryptCostError) {
        guard blockSize > 0, parallelism > 0,
            case (let product, false) = blockSize.multipliedReportingOverflow(by: parallelism), product < 1 << 30
        else { throw .impossibleBlocks }
        guard rounds > 1, rounds & (rounds - 1) == 0, rounds.trailingZeroBitCount < 16 * blockSize else {
            throw .impossibleRounds
        }
        guard case (let work, false) = product.multipliedReportingOverflow(by: rounds), work <= memoryLimit / 128 else {
            throw .tooExpensive
        }
        self.init(checked: rounds, blockSize: blockSize, parallelism: parallelism)
    }

    private init(checked rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}

/// Errors of a derivation cost, found before the derivation starts.
@nonexhaustive
package enum ScryptCostError: Error, Hashable, Sendable {
    /// N is not a power of two above 1, or not below 2^(128 r / 8) (RFC 7914, section 2).
    case impossibleRounds
    /// r or p is not positive, or r times p is not below 2^30 (RFC 7914, section 2).
    case impossibleBlocks
    /// More memory or work than this package spends on one entry.
    case tooExpensive
    /// Less work than this package accepts for a stored record.
    case tooCheap
}
