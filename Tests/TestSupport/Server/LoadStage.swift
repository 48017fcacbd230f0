package import LoadControl
import Synchronization

/// Clock and report of a test: time passes when the test says so, and everything that is reported is kept.
package final class LoadStage: QueueReport {
    private struct Record {
        var now: Duration = .zero
        var shed: [String] = []
        var changes: [QueueShedding.Change] = []
        var depths: [QueueName: Int] = [:]
        var waits: [Duration] = []
    }

    private let record = Mutex(Record())

    /// A stage at the moment zero.
    package init() {}

    /// The clock that the test moves.
    package var clock: Deadline.Clock {
        { self.record.withLock { $0.now } }
    }

    /// Names of queue and reason of everything that was shed.
    package var shed: [String] { record.withLock { $0.shed } }
    /// Beginnings and endings of shedding.
    package var changes: [QueueShedding.Change] { record.withLock { $0.changes } }
    /// Times that were waited.
    package var waits: [Duration] { record.withLock { $0.waits } }

    /// Number in a queue, as it was reported last.
    package func depth(of queue: QueueName) -> Int { record.withLock { $0.depths[queue] ?? 0 } }

    /// Lets time pass.
    package func pass(_ time: Duration) { record.withLock { $0.now += time } }

    /// A controller by this clock that names the shortest time to come back after, with so many requests in flight; the time
    /// that a group waits for passes at once.
    package func controller(
        inFlight: Int = 0, _ change: (inout OverloadSettings) -> Void = { _ in }
    ) -> LoadController {
        var settings = OverloadSettings()
        change(&settings)
        let load = LoadController(
            settings, report: self, clock: clock, draw: { $0.lowerBound }, sleep: { self.pass($0) })
        for number in 0..<inFlight { _ = load.admit(.first, from: Admission.Source(address: "192.0.2.\(number)")) }
        return load
    }

    /// A request that arrives now.
    package func lifetime(_ time: Duration = .seconds(5)) -> RequestLifetime {
        RequestLifetime(time: time, clock: clock)
    }

    // MARK: - QueueReport

    package func depth(_ depth: Int, of queue: QueueName) { record.withLock { $0.depths[queue] = depth } }

    package func waited(_ time: Duration, in queue: QueueName) { record.withLock { $0.waits.append(time) } }

    package func shed(_ reason: QueueShedReason, from queue: QueueName) {
        record.withLock { $0.shed.append("\(queue.rawValue) \(reason.rawValue)") }
    }

    package func changed(_ change: QueueShedding.Change, of queue: QueueName) {
        record.withLock { $0.changes.append(change) }
    }
}
