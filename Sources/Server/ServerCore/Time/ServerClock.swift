import Synchronization

/// Server time, in which lifetimes are counted.
///
/// It goes on with the monotonic clock of the machine, whatever happens to the time of day, and all processes on one
/// database share it (``synchronize(with:)``). So a step of the machine's clock neither ends nor prolongs anything, and
/// challenges are forgotten only when the time has really passed.
package final class ServerClock: WallClock {
    /// Most by which the clock stands still rather than going back.
    private static let standstill: Duration = .seconds(5)
    /// Difference between server time and time of day that is reported to an operator.
    package static let noteworthyDeviation: Duration = .seconds(60)

    private struct State {
        var record: ServerTimeRecord
        var latest: Timestamp
        var others: [String] = []
        var skew: (instance: String, size: Duration)?
    }

    /// The time of day, for what is compared with the clocks of others.
    package let wall: ConfirmedWallClock

    private let machine: any WallClock
    private let monotonic: any BootClock
    private let startID: String
    private let state: Mutex<State>

    /// Begins with the time of day; ``synchronize(with:)`` takes up server time.
    package init(
        wall: any WallClock = SystemWallClock(), monotonic: any BootClock,
        random: any RandomSource = SystemRandomSource()
    ) {
        machine = wall
        self.monotonic = monotonic
        self.wall = ConfirmedWallClock(wall: wall, monotonic: monotonic)
        // Where the start has no name, every process makes one.
        startID = monotonic.startID ?? CeremonyID(from: random).text
        let record = ServerTimeRecord(
            time: wall.now(), startID: startID, sinceStart: monotonic.sinceStart())
        state = Mutex(State(record: record, latest: record.time))
    }

    package func now() -> Timestamp {
        state.withLock { state in
            let time = state.record.time(at: monotonic.sinceStart())
            if time < state.latest, state.latest - time <= Self.standstill { return state.latest }
            state.latest = time
            return time
        }
    }

    /// Takes up the server time of the database and moves it on; `instance` names this process, nil for one that the
    /// others need not know.
    package func synchronize(with store: any ClockStore, as instance: String?) async throws(ServerError) {
        let reading = self.reading
        let own = instance.map {
            ProcessClock(instance: $0, wall: machine.now(), startID: startID, sinceStart: reading.sinceStart)
        }
        let (record, others) = try await store.advance(own) { last, mark in
            ServerTimeRecord.following(last, mark: mark, at: reading)
        }
        let skew = others.lazy.compactMap { other in own?.skew(of: other).map { (other.instance, $0) } }.first
        let present = others.filter { own?.isPresent($0) ?? false }.map(\.instance).sorted()
        state.withLock { state in
            state.record = record
            state.others = present
            state.skew = skew
        }
    }

    /// Names of the other processes on the database that were heard of lately, in order.
    package var others: [String] { state.withLock { $0.others } }

    /// The process on the same database whose clock shows something else, and by how much it is ahead.
    package var skew: (instance: String, size: Duration)? { state.withLock { $0.skew } }

    /// Gives up server time for the time of day; the caller stores the record together with new keys, since nothing
    /// made in the time that is given up may be judged by the new one.
    package func restarted() -> ServerTimeRecord {
        let record = ServerTimeRecord(time: machine.now(), startID: startID, sinceStart: monotonic.sinceStart())
        state.withLock { $0 = State(record: record, latest: record.time) }
        return record
    }

    /// By how much server time is ahead of the time of day, as it is believed; negative when it is behind.
    package var deviation: Duration { now() - wall.now() }

    private var reading: ServerTimeRecord.Reading {
        ServerTimeRecord.Reading(wall: wall.now(), startID: startID, sinceStart: monotonic.sinceStart())
    }
}
