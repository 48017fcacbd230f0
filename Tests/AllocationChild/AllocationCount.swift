import CAllocationCount

/// Number of pieces of memory that an operation takes, whichever library asks for them.
enum AllocationCount {
    private static let warmUpCount = 20
    private static let roundCount = 100

    /// Pieces that one execution takes once everything is there that is made only once; rounded, -1 where nothing counts.
    static func mean(of operation: () throws -> Void, surplus: Int) rethrows -> Int {
        for _ in 0..<warmUpCount { try operation() }
        let start = signet_allocation_count()
        for _ in 0..<roundCount {
            try operation()
            for _ in 0..<surplus { signet_allocate_and_free() }
        }
        guard start >= 0 else { return -1 }
        return (signet_allocation_count() - start + roundCount / 2) / roundCount
    }
}
