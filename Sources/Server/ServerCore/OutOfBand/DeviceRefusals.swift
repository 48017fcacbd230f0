import Synchronization

/// Decides which refused requests of devices get a record in the audit: enough to see an attack, never so many that an
/// attack without any key fills the disk.
///
/// The count is kept in memory, by each process for itself. What was left out is told by the first record of the next
/// window.
final class DeviceRefusals: Sendable {
    /// The time over which is counted.
    static let window: Duration = .seconds(600)
    /// Records in a window, over all who ask.
    static let limit = 100
    /// Records in a window that name the same target.
    static let limitPerTarget = 10

    /// A place in the audit.
    struct Place: Hashable {
        /// How many refusals of the last windows have no record.
        let omitted: Int
    }

    private struct Count {
        var since: Timestamp?
        var written = 0
        var writtenByTarget: [DispatchTargetID: Int] = [:]
        var omitted = 0
    }

    private let count = Mutex(Count())

    /// Takes a place for a refusal at `now`; nil when there is none left, which is counted.
    func place(for target: DispatchTargetID?, at now: Timestamp) -> Place? {
        count.withLock { count in
            var omitted = 0
            if let since = count.since, now >= since, now < since + Self.window {
                let isFull = target.map { count.writtenByTarget[$0, default: 0] >= Self.limitPerTarget } ?? false
                guard count.written < Self.limit, !isFull else {
                    count.omitted += 1
                    return nil
                }
            } else {
                omitted = count.omitted
                count = Count(since: now)
            }
            count.written += 1
            if let target { count.writtenByTarget[target, default: 0] += 1 }
            return Place(omitted: omitted)
        }
    }
}
