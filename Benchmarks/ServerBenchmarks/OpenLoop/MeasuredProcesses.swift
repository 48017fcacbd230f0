import LoadGenerator

/// Processes that a load goes to: servers, and the database that they share.
struct MeasuredProcesses: Sendable {
    /// The servers.
    let servers: [BenchmarkServer]
    /// Process ID of the first process of a database server; nil where the database is a file.
    var database: Int32?
    /// Time that a round trip between servers and database takes longer than without a proxy, as measured.
    var roundTrip: Duration = .zero

    /// Process IDs.
    var identifiers: [Int32] { servers.map(\.identifier) + (database.map { [$0] } ?? []) }

    /// CPU time of all of them so far.
    func time() throws -> ProcessTime {
        let servers = try servers.map { try $0.time }
        let databases = try [database].compactMap { $0 }.map { try ProcessTime(ofTree: $0) }
        return (servers + databases).reduce(.zero, +)
    }
}

extension ClientLoad {
    /// Own rate of processes and their latencies at a share of it; the caller has shared the cores out.
    func latencies(of processes: MeasuredProcesses) async throws -> OpenLoopResult {
        let own = try await ownRate { try processes.time() }
        let tallies = try await openLoops(perSecond: own.perSecond * Self.share)
        guard let result = OpenLoopResult(ownRate: own.perSecond, tallies: tallies) else {
            throw BenchmarkFailure.badConstant
        }
        return result
    }
}
