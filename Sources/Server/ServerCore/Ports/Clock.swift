/// Tells the time of day.
package protocol WallClock: Sendable {
    /// The current time; it may step forwards and backwards when an administrator or the network sets the clock.
    func now() -> Timestamp
}

/// Boot clock: the time since the machine started; setting the time of day does not move it.
package protocol BootClock: Sendable {
    /// The time since the machine started, in which it slept or not.
    func sinceStart() -> Duration
    /// Name of this start of the machine, the same for all its processes; nil when the system has none.
    var startID: String? { get }
}

/// The server time that all processes on one database share, and the clocks of these processes.
package protocol ClockStore: Sendable {
    /// Replaces the record by what `rule` makes of it, keeps the clock of `process` unless that is nil, and returns the
    /// record with the clocks of the other processes; all in one transaction, which always writes.
    ///
    /// The rule is given the record, nil in a database that has none yet, and the watermark of the consumed challenges.
    func advance(
        _ process: ProcessClock?, _ rule: @escaping @Sendable (ServerTimeRecord?, Timestamp) -> ServerTimeRecord
    ) async throws(ServerError) -> (record: ServerTimeRecord, others: [ProcessClock])

    /// Forgets the clock of the process with this name, which ends.
    func forget(_ instance: String) async throws(ServerError)

    /// Forgets some `limit` processes whose time of day was before `time` when they were last heard of; returns how
    /// many.
    func forget(heardBefore time: Timestamp, limit: Int) async throws(ServerError) -> Int
}
