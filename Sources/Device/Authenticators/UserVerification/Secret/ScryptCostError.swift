/// Why a derivation is not begun.
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
