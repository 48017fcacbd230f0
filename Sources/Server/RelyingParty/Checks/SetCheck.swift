import UAF

/// The end of check 14 or 12: the assertions that stand fill one accepted set, each criteria by another of them.
enum SetCheck {
    /// The assertions that fill the first set that can be filled, by their positions; throws when none can.
    ///
    /// `fills` tells whether the assertion at a position satisfies criteria.
    static func filled(
        _ policy: Policy, by positions: [Int], where fills: (MatchCriteria, Int) -> Bool
    ) throws(RefusalReason) -> [Int] {
        for set in policy.accepted where !set.isEmpty && set.count <= positions.count {
            var assignment = SetAssignment(
                candidates: set.map { criteria in positions.filter { fills(criteria, $0) } })
            if let assigned = assignment.complete() { return assigned }
        }
        throw .incompleteSet
    }
}
