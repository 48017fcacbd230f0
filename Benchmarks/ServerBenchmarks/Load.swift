/// Closed-loop load by a number of phones that repeat an operation, each as soon as the previous response has arrived.
///
/// It finds the rate of a server, and the cost of an operation; latencies are measured in an open loop (``ClientLoad``).
struct Load: Sendable {
    /// Name in the figures.
    let name: String
    /// Number of phones, each of a user of its own.
    let phoneCount: Int
    var connections = Connections.kept

    /// Connections of the phones.
    enum Connections {
        /// Each phone has one all the time.
        case kept
        /// A new one for each operation, with a full handshake.
        case fresh
        /// A new one for each operation, which resumes the session of an earlier one.
        case resumed
    }

    /// As many phones as there are.
    static let full = Load(name: "64-phones", phoneCount: phoneLimit)

    /// The loads to be measured, in this order.
    static let all = [
        Load(name: "1-phone", phoneCount: 1), Load(name: "16-phones", phoneCount: 16),
        full,
        Load(name: "16-phones-fresh-connections", phoneCount: 16, connections: .fresh),
        Load(name: "16-phones-resumed-connections", phoneCount: 16, connections: .resumed),
    ]

    /// The same exchanges with a ``FloorServer``.
    static let floor = Load(name: "floor", phoneCount: phoneLimit)
    /// The same with a handshake before each, in full or resumed.
    static let floorHandshakes = [
        Load(name: "floor-full-handshake", phoneCount: phoneLimit, connections: .fresh),
        Load(name: "floor-resumed-handshake", phoneCount: phoneLimit, connections: .resumed),
    ]

    /// Maximum number of concurrent phones.
    static let phoneLimit = 64
    /// Time under load before anything is counted.
    private static let warmUp: Duration = .seconds(1)

    /// Lets the phones sign in for `seconds` and a second of warm-up.
    ///
    /// The first sign-in that does not end with status 1200 ends the load with its error.
    func run(against server: BenchmarkServer, seconds: Double) async throws -> LoadResult {
        let isFresh = connections != .kept
        return try await run(against: server, seconds: seconds) { number, network in
            try Phone(user: Population.phoneUser(number), on: network, hasFreshConnections: isFresh)
        }
    }

    /// Prepares the phones that `make` returns on a network of their own and lets them work; see
    /// ``run(timing:until:_:)``.
    func run<Subject: LoadSubject>(
        against server: some MeasuredServer, seconds: Double,
        _ make: @escaping @Sendable (Int, PhoneNetwork) throws -> Subject
    ) async throws -> LoadResult {
        let network = try PhoneNetwork(to: server, resumes: connections == .resumed)
        let time: @Sendable () throws -> ProcessTime = { try server.time }
        let result = try await run(timing: time, until: { try await Self.wait(seconds) }, { try make($0, network) })
        try await network.shutDown()
        return result
    }

    /// Prepares the phones that `make` returns and lets them work for a second of warm-up and then until `end` returns.
    ///
    /// The first failure ends the load. `time` is the CPU time so far of what is measured.
    func run<Subject: LoadSubject>(
        timing time: @escaping @Sendable () throws -> ProcessTime,
        until end: @escaping @Sendable () async throws -> Void,
        _ make: @escaping @Sendable (Int) throws -> Subject
    ) async throws -> LoadResult {
        let journal = LoadJournal()
        let measurement = try await withThrowingTaskGroup(of: LoadResult.Measurement?.self) { group in
            for number in 0..<phoneCount {
                group.addTask {
                    var phone = try make(number)
                    try await phone.prepare()
                    while !journal.isOver {
                        // When another phone has failed, no phone ends the window any more.
                        try Task.checkCancellation()
                        try await phone.work()
                        journal.note()
                    }
                    try await phone.hangUp()
                    return nil
                }
            }
            group.addTask { try await Self.measured(time, journal, until: end) }
            return try await group.reduce(nil) { $0 ?? $1 }
        }
        guard let measurement else { throw BenchmarkFailure.badConstant }
        return LoadResult(load: self, measurement: measurement, count: journal.count)
    }

    /// Waits for so many seconds.
    static func wait(_ seconds: Double) async throws { try await Task.sleep(for: .seconds(seconds)) }

    /// Opens the measurement window, waits, and closes it; the phones work all the time.
    private static func measured(
        _ time: @Sendable () throws -> ProcessTime, _ journal: LoadJournal, until end: @Sendable () async throws -> Void
    ) async throws -> LoadResult.Measurement {
        try await Task.sleep(for: warmUp)
        let clock = ContinuousClock()
        let generator = try ProcessTime(ofProcess: LoadResult.ownProcess)
        let before = try time()
        let start = clock.now
        journal.begin()
        try await end()
        journal.end()
        return LoadResult.Measurement(
            seconds: (clock.now - start) / .seconds(1), server: try time() - before,
            generator: try ProcessTime(ofProcess: LoadResult.ownProcess) - generator)
    }
}
