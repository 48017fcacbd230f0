import Linearizability
import TestSupport
import Testing
import UAF

/// Objects of one kind at a server, and the work of clients on them, all of which is recorded.
protocol HistorySubject: Sendable {
    /// Users that have to be there.
    var users: [String] { get }

    /// Gets ready while nothing is killed.
    func begin(_ load: HistoryLoad) async throws

    /// Does a piece of work as one of some clients at the same time; with a load that is cut it ends early.
    func work(_ load: HistoryLoad, as client: Int, _ generator: inout SeededGenerator) async throws

    /// Notes that whatever has no answer yet has taken effect by now, or never will.
    func endUnanswered()

    /// Looks at every object once more, after the last kill.
    func settle(_ load: HistoryLoad) async throws

    /// Checks of everything that was recorded.
    var report: LinearizabilityReport { get }

    /// What the audit has to hold after everything that was recorded.
    var claims: [AuditClaim] { get }
}

extension HistorySubject {
    func begin(_ load: HistoryLoad) async throws {}
    func settle(_ load: HistoryLoad) async throws {}
    var claims: [AuditClaim] { [] }

    /// A name as the services spell it.
    func username(_ name: String) throws -> UserName { try #require(UserName(name)) }

    /// The application of the phones.
    var client: SyntheticClient {
        get throws { SyntheticClient(facet: try #require(FacetID("ios:bundle-id:org.signet.demo"))) }
    }
}
