import Synchronization

/// Places in the audit for refused requests of devices: enough to see an attack, never so many that one without any key
/// fills the disk.
///
/// What a known key has signed is counted for its device, everything else for the address it came from: a stranger uses
/// up no places but those of strangers. The count is kept in memory, by each process for itself. What finds no place is
/// summed up when the window is over.
final class DeviceRefusals: Sendable {
    /// The time over which is counted.
    static let window: Duration = .seconds(600)
    /// Records of one source in a window.
    static let limitPerSource = 10
    /// Records in a window over all addresses.
    static let limitOfStrangers = 100
    /// Sources that are told apart; further ones share one place.
    static let sourceLimit = 4_096

    /// Where a refused request came from.
    enum Source: Hashable {
        /// The key of this target has signed it.
        case device(DispatchTargetID)
        /// Nobody known has signed it.
        case address(String)
    }

    /// Refusals of windows that are over which have no record.
    struct Summary: Hashable {
        /// How many there were.
        var refusals = 0
        /// From how many sources.
        var sources = 0
    }

    private struct Count {
        var since: Timestamp?
        var written: [Source: Int] = [:]
        var writtenOfStrangers = 0
        var omitted: [Source: Int] = [:]
        var closed = Summary()

        /// Begins another window when this one is over, or the clock was set back.
        mutating func roll(to now: Timestamp) {
            if let since, now >= since, now < since + window { return }
            var closed = closed
            closed.refusals += omitted.values.reduce(0, +)
            closed.sources += omitted.count
            self = Count(since: now, closed: closed)
        }

        /// The source itself, or the one that stands for all that are too many.
        func known(_ source: Source) -> Source {
            guard written.count + omitted.count >= sourceLimit, written[source] == nil, omitted[source] == nil else {
                return source
            }
            return .address("")
        }
    }

    private let count = Mutex(Count())

    /// Takes a place for a refusal at `now`; false when there is none left, which is counted.
    func takesPlace(for source: Source, at now: Timestamp) -> Bool {
        count.withLock { count in
            count.roll(to: now)
            let source = count.known(source)
            let isStranger = if case .address = source { true } else { false }
            guard count.written[source, default: 0] < Self.limitPerSource,
                !isStranger || count.writtenOfStrangers < Self.limitOfStrangers
            else {
                count.omitted[source, default: 0] += 1
                return false
            }
            count.written[source, default: 0] += 1
            if isStranger { count.writtenOfStrangers += 1 }
            return true
        }
    }

    /// What has found no place in windows that are over, once; nil when everything has.
    func summary(at now: Timestamp) -> Summary? {
        count.withLock { count in
            count.roll(to: now)
            guard count.closed.refusals > 0 else { return nil }
            defer { count.closed = Summary() }
            return count.closed
        }
    }
}
