import LoadGenerator

/// Load of one kind on server processes by ``LoadClient``: in a closed loop for their rate, in an open one for latencies.
struct ClientLoad: Sendable {
    let client: LoadClient
    /// Number of users.
    let userCount: Int
    /// Seconds of each measurement.
    let seconds: Double
    /// Kinds of operations.
    var mix = OperationMix.signIns
    /// Share of the operations with a connection of their own, 0 to 1.
    var freshShare = 0.0

    /// Share of a server's own rate at which latencies are measured.
    static let share = 0.7
    /// Connections that are open before the latencies are measured.
    static let connectionCount = 256
    /// Open loops for one result of latencies.
    static let latencyLoops = 5
    /// Clients of the closed loop.
    static let clientCount = Load.phoneLimit

    /// Rate at which the servers answer a fixed number of clients, each of whom goes on when it is answered.
    ///
    /// `time` is the CPU time so far of what is measured.
    func ownRate(
        of clients: Int = clientCount, timing time: @escaping @Sendable () throws -> ProcessTime
    ) async throws -> LoadResult {
        try await ownRate(of: clients, timing: time, until: { try await Load.wait(seconds) })
    }

    /// The same until `end` returns; `answered` hears of each operation that succeeds, also in the warm-up.
    func ownRate(
        of clients: Int = clientCount, timing time: @escaping @Sendable () throws -> ProcessTime,
        until end: @escaping @Sendable () async throws -> Void,
        answered: @escaping @Sendable () -> Void = {}
    ) async throws -> LoadResult {
        try await Load(name: "own-rate", phoneCount: clients).run(timing: time, until: end) { number in
            Subject(client: client, answered: answered, arrivals: endlessPlan(seed: UInt64(number)).arrivals)
        }
    }

    /// Load at a rate, whatever the servers answer.
    func openLoop(perSecond: Double, outstandingLimit: Int? = nil) async -> LoadTally {
        var plan = plan(perSecond: perSecond)
        if let outstandingLimit { plan.outstandingLimit = outstandingLimit }
        return await OpenLoopGenerator(plan).run { arrival, lag in await client.perform(arrival, lag: lag) }
    }

    /// As many loads at a rate as one result of latencies has, one after the other, on connections that are open.
    func openLoops(perSecond: Double) async throws -> [LoadTally] {
        // None of the operations is to begin with a handshake (`freshShare`), also where more meet than clients of the closed loop.
        try await client.pool.warm(Self.connectionCount)
        var tallies: [LoadTally] = []
        for _ in 0..<Self.latencyLoops { tallies.append(await openLoop(perSecond: perSecond)) }
        if let failure = client.takeFailure() { ProgressLine.say("not every operation succeeded: \(failure)") }
        return tallies
    }

    private func plan(perSecond: Double) -> LoadPlan {
        var plan = LoadPlan(perSecond: perSecond, measured: .seconds(seconds), userCount: userCount)
        plan.mix = mix
        plan.freshShare = freshShare
        return plan
    }

    /// Arrivals for a client that ignores when they are due.
    private func endlessPlan(seed: UInt64) -> LoadPlan {
        var plan = plan(perSecond: 1)
        plan.measured = .seconds(1 << 30)
        plan.seed = seed
        return plan
    }
}

extension ClientLoad {
    /// One client of a closed loop, which performs the operations of a plan one after the other.
    private struct Subject: LoadSubject {
        /// Attempts after refusals because of overload.
        private static let attempts = 1_000

        let client: LoadClient
        let answered: @Sendable () -> Void
        var arrivals: LoadPlan.Arrivals

        mutating func prepare() async throws {}

        mutating func work() async throws {
            for _ in 0..<Self.attempts {
                guard let arrival = arrivals.next() else { throw BenchmarkFailure.badConstant }
                switch await client.perform(arrival, lag: .zero) {
                case .success: return answered()
                case .refused: try await Task.sleep(for: .milliseconds(10))
                case .failed: throw BenchmarkFailure.loadFailed(client.takeFailure() ?? "")
                }
            }
            throw BenchmarkFailure.loadFailed("refused \(Self.attempts) times in a row")
        }

        mutating func hangUp() async throws {}
    }
}
