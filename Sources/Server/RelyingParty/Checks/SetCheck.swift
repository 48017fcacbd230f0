import UAF

/// Check of the accepted sets: the assertions that passed fill one of them, each criteria by another assertion.
enum SetCheck {
    /// The assertions that fill the first set that can be filled, by their positions; throws when none can.
    ///
    /// `fills` tells whether the assertion at a position satisfies criteria.
    static func filled(
        _ policy: Policy, by positions: some Collection<Int>, where fills: (MatchCriteria, Int) -> Bool
    ) throws(RefusalReason) -> [Int] {
        for set in policy.accepted where !set.isEmpty && set.count <= positions.count {
            if set.count == 1 {
                // Nearly every set: no other criteria competes for an assertion.
                guard let position = positions.first(where: { fills(set[0], $0) }) else { continue }
                return [position]
            }
            var assignment = SetAssignment(
                candidates: set.map { criteria in positions.filter { fills(criteria, $0) } })
            if let assigned = assignment.complete() { return assigned }
        }
        throw .incompleteSet
    }
}

/// Gives every criteria of a set a different assertion, in polynomial time (Kuhn's augmenting paths).
struct SetAssignment {
    /// For each criteria, the positions that satisfy it.
    let candidates: [[Int]]
    /// The criteria that a position has been given to.
    private var owner: [Int: Int] = [:]

    init(candidates: [[Int]]) {
        self.candidates = candidates
    }

    /// The positions in order, or nil when some criteria goes without.
    mutating func complete() -> [Int]? {
        for index in candidates.indices {
            var seen: Set<Int> = []
            guard place(index, seen: &seen) else { return nil }
        }
        return owner.keys.sorted()
    }

    private mutating func place(_ index: Int, seen: inout Set<Int>) -> Bool {
        for position in candidates[index] where seen.insert(position).inserted {
            if let present = owner[position], !place(present, seen: &seen) { continue }
            owner[position] = index
            return true
        }
        return false
    }
}
