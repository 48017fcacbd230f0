/// Server time at one moment of the monotonic clock, as the database keeps it.
package struct ServerTimeRecord: Sendable, Hashable {
    package let time: Timestamp
    /// The start of the machine that the monotonic clock counts from.
    package let startID: String
    package let sinceStart: Duration

    /// Most by which one synchronisation brings server time nearer to the time of day.
    static let correctionLimit: Duration = .seconds(1)

    package init(time: Timestamp, startID: String, sinceStart: Duration) {
        self.time = time
        self.startID = startID
        self.sinceStart = sinceStart
    }

    /// The clocks of a process at one moment.
    struct Reading: Sendable {
        let wall: Timestamp
        let startID: String
        let sinceStart: Duration
    }

    func time(at sinceStart: Duration) -> Timestamp { time + (sinceStart - self.sinceStart) }

    /// The record that follows `last` when the clocks show `reading`.
    ///
    /// While the machine runs, server time goes on with the monotonic clock and nears the time of day by a tenth of the
    /// time passed at most. After another start the time that has passed is unknown: the time of day decides, but
    /// server time never goes back behind the last record, nor so far that `mark`, before which challenges are
    /// forgotten, lay in the future.
    static func following(_ last: ServerTimeRecord?, mark: Timestamp, at reading: Reading) -> ServerTimeRecord {
        guard let last, last.startID == reading.startID else {
            let floor = max(last?.time ?? reading.wall, mark + ServerSettings.consumptionMemory)
            return ServerTimeRecord(
                time: max(reading.wall, floor), startID: reading.startID, sinceStart: reading.sinceStart)
        }
        let passed = reading.sinceStart - last.sinceStart
        // Another process was here a moment later than this one has looked at its clock.
        guard passed > .zero else { return last }
        let even = last.time + passed
        let most = min(passed / 10, correctionLimit)
        let correction = min(max(reading.wall - even, .zero - most), most)
        return ServerTimeRecord(
            time: even + correction, startID: reading.startID, sinceStart: reading.sinceStart)
    }
}
