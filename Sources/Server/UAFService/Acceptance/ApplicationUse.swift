package import BackendAPI
package import ServerCore
import Synchronization
package import UAF

/// Counts of the versions of applications that came with registrations and sign-ins which were accepted.
///
/// It counts what this process has accepted since its start, for people; applications can tell any version.
package final class ApplicationUse: Sendable {
    /// Versions of an application that are counted by themselves: the ones that were told first.
    package static let versionLimit = 100

    /// Start of the process.
    package let since: Timestamp
    private let counts = Mutex<[FacetID: [ApplicationVersion?: Int]]>([:])

    package init(since: Timestamp) { self.since = since }

    package func count(_ version: ApplicationVersion, of facet: FacetID) {
        counts.withLock { counts in
            let known = counts[facet, default: [:]]
            let isKnown = known[version] != nil || known.count < Self.versionLimit
            counts[facet, default: [:]][isKnown ? version : nil, default: 0] += 1
        }
    }

    /// Counts of an application, the newest version first, and last the other versions together, which are nil.
    package func counts(of facet: FacetID) -> [(version: ApplicationVersion?, count: Int)] {
        let counts = counts.withLock { $0[facet] ?? [:] }
        let (named, others) = (counts.compactMap { pair in pair.key.map { ($0, pair.value) } }, counts[nil])
        return named.sorted { $0.0 > $1.0 }.map { ($0.0, $0.1) } + (others.map { [(nil, $0)] } ?? [])
    }
}
