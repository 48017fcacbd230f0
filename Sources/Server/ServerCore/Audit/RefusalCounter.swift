import Synchronization

/// Counts refusals, or steps of codes, that their senders can cause at will, by source and reason, for one summary in
/// each window.
///
/// Replays, wrong passwords, unsigned messages and the codes of sign-in pages cost their sender nothing; a record for each
/// would let any client fill the disk. The counts are kept in memory, by each process for itself, and are bounded by
/// ``sourceLimit``.
/// Refusals of a device by other processes on the database count here, too (``addRefusals(_:of:at:)``).
package final class RefusalCounter: Sendable {
    package static let window: Duration = .seconds(600)
    /// Addresses that are told apart in a window, and as many devices; the refusals of further ones are counted
    /// together.
    package static let sourceLimit = 1_000
    /// Sources that a summary names, beginning with the most refusals.
    package static let namedLimit = 5
    /// Refusals of one source in a window that are logged one by one.
    package static let shownLimit = 10
    /// Refusals in a window that are logged one by one, over all addresses.
    package static let shownTotal = 100

    /// Source of refused requests.
    package enum Source: Sendable, Hashable {
        /// A network address; empty for what came through no network. No known key has signed.
        case address(String)
        /// The key of this target has signed.
        ///
        /// Requests of strangers use up nothing of it.
        case device(DispatchTargetID)
    }

    /// Totals of one window.
    package struct Summary: Sendable, Hashable {
        /// Plural of the counted things.
        package let subject: String
        package let total: Int
        /// Refusals by reason, the most frequent first.
        package let reasons: [Count]
        /// Refusals by source, the most frequent first, ``namedLimit`` at most.
        package let sources: [Count]
        /// Sources with refusals; indistinguishable sources count as one.
        package let sourceCount: Int
        /// Users whom it was about, the most frequent first, ``namedLimit`` at most.
        package let users: [Count]

        package var text: String {
            let shown = (reasons + sources + users).map { "\($0.name) \($0.count)" }
            return "\(total) \(subject) in \(RefusalCounter.window.components.seconds) s from \(sourceCount) sources: "
                + shown.joined(separator: ", ")
        }
    }

    /// Number of occurrences of a reason or source.
    package struct Count: Sendable, Hashable {
        package let name: String
        package let count: Int
    }

    private struct Counts {
        var since: Timestamp?
        var total = 0
        var shown = 0
        var reasons: [String: Int] = [:]
        var addresses: [String: Int] = [:]
        var devices: [String: Int] = [:]
        var users: [String: Int] = [:]

        mutating func add(_ source: Source) -> Int {
            switch source {
            case .address(let address): Self.add(address.isEmpty ? "unknown" : address, to: &addresses, "others")
            case .device(let id): Self.add(Self.name(of: id), to: &devices, "other devices")
            }
        }

        mutating func add(_ user: UserID) { _ = Self.add("user \(user.text)", to: &users, "other users") }

        static func name(of device: DispatchTargetID) -> String { "device \(device.text)" }

        private static func add(_ name: String, to counts: inout [String: Int], _ others: String) -> Int {
            let isKnown = counts[name] != nil || counts.count < sourceLimit
            let count = counts[isKnown ? name : others, default: 0] + 1
            counts[isKnown ? name : others] = count
            return count
        }
    }

    /// Refusals of devices by other processes, in a window that begins with the first of them.
    private struct Elsewhere {
        var since: Timestamp?
        var devices: [DispatchTargetID: Int] = [:]

        mutating func add(_ count: Int, of device: DispatchTargetID, at now: Timestamp) {
            endWindow(at: now)
            since = since ?? now
            guard devices[device] != nil || devices.count < sourceLimit else { return }
            devices[device, default: 0] += count
        }

        mutating func count(of source: Source, at now: Timestamp) -> Int {
            endWindow(at: now)
            guard case .device(let id) = source else { return 0 }
            return devices[id] ?? 0
        }

        private mutating func endWindow(at now: Timestamp) {
            guard let since, now < since || now >= since + window else { return }
            self = Elsewhere()
        }
    }

    private let counts = Mutex(Counts())
    private let elsewhere = Mutex(Elsewhere())

    private let subject: String

    /// Begins to count; `subject` is the plural of what is counted.
    package init(of subject: String = "refusals") { self.subject = subject }

    /// Counts a refusal; `reason` is from a fixed list of words, and `source` nil where no request has caused it.
    ///
    /// True when it may be logged by itself: it is among the first of its source and, from an address, of the window.
    package func count(
        _ reason: String, from source: Source?, about user: UserID? = nil, at now: Timestamp
    ) -> Bool {
        let shownElsewhere = source.map { source in elsewhere.withLock { $0.count(of: source, at: now) } } ?? 0
        return counts.withLock { counts in
            counts.since = counts.since ?? now
            counts.total += 1
            counts.reasons[reason, default: 0] += 1
            if let user { counts.add(user) }
            guard let source else { return false }
            guard counts.add(source) + shownElsewhere <= Self.shownLimit else { return false }
            guard case .address = source else { return true }
            guard counts.shown < Self.shownTotal else { return false }
            counts.shown += 1
            return true
        }
    }

    /// Takes over that other processes have refused a device `count` times; no summary of this process tells of it.
    package func addRefusals(_ count: Int, of device: DispatchTargetID, at now: Timestamp) {
        elsewhere.withLock { $0.add(count, of: device, at: now) }
    }

    /// Totals of the window that is over at `now`, returned once; nil while it goes on or when nothing was counted.
    ///
    /// `isLast` ends the window at once, for a process that stops.
    package func takeSummary(at now: Timestamp, isLast: Bool = false) -> Summary? {
        counts.withLock { counts in
            guard let since = counts.since, isLast || now < since || now >= since + Self.window else { return nil }
            let finished = counts
            counts = Counts()
            let sources = Self.sorted(finished.addresses) + Self.sorted(finished.devices)
            return Summary(
                subject: subject, total: finished.total, reasons: Self.sorted(finished.reasons),
                sources: Array(sources.sorted { $0.count > $1.count }.prefix(Self.namedLimit)),
                sourceCount: sources.count, users: Array(Self.sorted(finished.users).prefix(Self.namedLimit)))
        }
    }

    private static func sorted(_ counts: [String: Int]) -> [Count] {
        counts.map { Count(name: $0.key, count: $0.value) }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}
