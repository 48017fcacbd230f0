/// Subsets of pending changes that reach the disk.
enum SurvivingSubsets {
    /// Number of changes up to which every combination is tried, 2^8 of them.
    private static let exhaustiveCount = 8
    private static let randomCount = 64

    /// Every subset of `count` changes; of many changes the significant subsets and some pseudorandom ones, which are
    /// always the same.
    static func of(_ count: Int) -> [[Bool]] {
        guard count > exhaustiveCount else {
            return (0..<(1 << count)).map { mask in (0..<count).map { mask >> $0 & 1 == 1 } }
        }
        let cuts = (0...count).map { cut in (0..<count).map { $0 < cut } }
        let tails = (0...count).map { cut in (0..<count).map { $0 >= cut } }
        let singles = (0..<count).map { one in (0..<count).map { $0 == one } }
        let gaps = singles.map { $0.map { !$0 } }
        var lots = SeededGenerator(seed: UInt64(count))
        let random = (0..<randomCount).map { _ in (0..<count).map { _ in Bool.random(using: &lots) } }
        return cuts + tails + singles + gaps + random
    }
}
