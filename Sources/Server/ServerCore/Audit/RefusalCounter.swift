import Synchronization

/// Counts refusals that strangers can cause at will, by address and reason, for one summary in each window.
///
/// Replays and answers that no key has signed cost their sender nothing; a record for each would let anyone fill the
/// disk. The counts are kept in memory, by each process for itself, and never grow beyond ``addressLimit`` addresses.
package final class RefusalCounter: Sendable {
    /// The time over which is counted.
    package static let window: Duration = .seconds(600)
    /// Addresses that are told apart in a window; the refusals of further ones are counted together.
    package static let addressLimit = 1_000
    /// Addresses that a summary names, those with the most refusals.
    package static let namedLimit = 5
    /// Refusals of one address in a window that are told one by one.
    package static let shownLimit = 10
    /// Refusals in a window that are told one by one, over all addresses.
    package static let shownTotal = 100

    /// What happened in a window.
    package struct Summary: Sendable, Hashable {
        /// All refusals.
        package let total: Int
        /// Refusals by reason, the most frequent first.
        package let reasons: [Count]
        /// Refusals by address, the most frequent first, ``namedLimit`` at most.
        package let addresses: [Count]
        /// Addresses with refusals; the last one stands for all that were not told apart.
        package let addressCount: Int

        /// The summary as the reason of an audit record.
        package var text: String {
            let shown = (reasons + addresses).map { "\($0.name) \($0.count)" }
            return "\(total) refusals in \(RefusalCounter.window.components.seconds) s from \(addressCount) addresses: "
                + shown.joined(separator: ", ")
        }
    }

    /// How often something occurred.
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
    }

    private static let others = "others"
    private let counts = Mutex(Counts())

    /// Counts nothing yet.
    package init() {}

    /// Counts a refusal; `reason` is from a fixed list of words.
    ///
    /// True when it may be told by itself: it is among the first of its address and of the window.
    package func count(_ reason: String, from address: String?, at now: Timestamp) -> Bool {
        counts.withLock { counts in
            counts.since = counts.since ?? now
            counts.total += 1
            counts.reasons[reason, default: 0] += 1
            let given = address ?? "unknown"
            let isKnown = counts.addresses[given] != nil || counts.addresses.count < Self.addressLimit
            let name = isKnown ? given : Self.others
            counts.addresses[name, default: 0] += 1
            guard counts.addresses[name, default: 0] <= Self.shownLimit, counts.shown < Self.shownTotal else {
                return false
            }
            counts.shown += 1
            return true
        }
    }

    /// What was counted in the window that is over at `now`, once; nil while it goes on or when nothing was counted.
    ///
    /// `isLast` ends the window at once, for a process that stops.
    package func takeSummary(at now: Timestamp, isLast: Bool = false) -> Summary? {
        counts.withLock { counts in
            guard let since = counts.since, isLast || now < since || now >= since + Self.window else { return nil }
            let finished = counts
            counts = Counts()
            return Summary(
                total: finished.total, reasons: Self.sorted(finished.reasons),
                addresses: Array(Self.sorted(finished.addresses).prefix(Self.namedLimit)),
                addressCount: finished.addresses.count)
        }
    }

    private static func sorted(_ counts: [String: Int]) -> [Count] {
        counts.map { Count(name: $0.key, count: $0.value) }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}
