/// The server time that all processes on one database share, and the clocks of these processes.
package protocol ClockStore: Sendable {
    /// Replaces the record by what `rule` makes of it, keeps the clock of `process`, and returns the record with the
    /// clocks of the other processes; all in one transaction, which always writes.
    ///
    /// The rule is given the record, nil in a database that has none yet, and the watermark of the consumed challenges.
    func advance(
        _ process: ProcessClock, _ rule: @escaping @Sendable (ServerTimeRecord?, Timestamp) -> ServerTimeRecord
    ) async throws(ServerError) -> (record: ServerTimeRecord, others: [ProcessClock])
}
