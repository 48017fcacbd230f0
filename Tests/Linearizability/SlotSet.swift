/// Set of small numbers, one bit each; the first 64 need no memory of their own.
struct SlotSet: Sendable, Hashable {
    private var low: UInt64 = 0
    /// Further words, the last of which is never 0.
    private var high: [UInt64] = []

    /// Whether the set holds a number.
    func contains(_ slot: Int) -> Bool {
        if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
        let word = slot / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
    }

    /// Adds a number.
    mutating func insert(_ slot: Int) {
        if slot < 64 {
            low |= 1 << UInt64(slot)
            return
        }
        let word = slot / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(slot % 64)
    }

    /// Takes a number out.
    mutating func remove(_ slot: Int) {
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
            return
        }
        let word = slot / 64 - 1
        guard word < high.count else { return }
        high[word] &= ~(1 << UInt64(slot % 64))
        while high.last == 0 { high.removeLast() }
    }

    /// Whether `other` holds every number of this set.
    func isSubset(of other: SlotSet) -> Bool {
        guard low & ~other.low == 0, high.count <= other.high.count else { return false }
        for (word, bits) in high.enumerated() where bits & ~other.high[word] != 0 { return false }
        return true
    }
}
