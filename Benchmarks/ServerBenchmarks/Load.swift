/// Load by a number of phones that repeat an operation, each as soon as the previous response has arrived.
struct Load: Sendable {
    /// Name in the figures.
    let name: String
    /// Number of phones, each of a user of its own.
    let phoneCount: Int
    /// Whether each sign-in begins with a TLS handshake; otherwise a phone keeps its connection all the time.
    var hasFreshConnections = false

    /// The loads to be measured, in this order.
    static let all = [
        Load(name: "1-phone", phoneCount: 1), Load(name: "16-phones", phoneCount: 16),
        Load(name: "64-phones", phoneCount: 64),
        Load(name: "16-phones-fresh-connections", phoneCount: 16, hasFreshConnections: true),
    ]

    /// The same exchanges with a ``FloorServer``.
    static let floor = Load(name: "floor", phoneCount: phoneLimit)

    /// Maximum number of concurrent phones.
    static let phoneLimit = 64
    /// Time under load before anything is counted.
    private static let warmUp: Duration = .seconds(1)

    /// Lets the phones sign in for `seconds` and a second of warm-up.
    ///
    /// The first sign-in that does not end with status 1200 ends the load with its error.
    func run(against server: BenchmarkServer, seconds: Double) async throws -> LoadResult {
        let isFresh = hasFreshConnections
        return try await run(against: server, seconds: seconds) { number, network in
            try Phone(user: Population.phoneUser(number), on: network, hasFreshConnections: isFresh)
        }
    }

    /// Prepares the phones that `make` returns and lets them work for `seconds` and a second of warm-up; the first
    /// failure ends the load.
    func run<Subject: LoadSubject>(
        against server: some MeasuredServer, seconds: Double,
        _ make: @escaping @Sendable (Int, PhoneNetwork) throws -> Subject
    ) async throws -> LoadResult {
        let network = try PhoneNetwork(to: server)
        let journal = LoadJournal()
        let measurement = try await withThrowingTaskGroup(of: LoadResult.Measurement?.self) { group in
            for number in 0..<phoneCount {
                group.addTask {
                    var phone = try make(number, network)
                    try await phone.prepare()
                    while !journal.isOver {
                        let start = ContinuousClock.now
                        try await phone.work()
                        journal.note(ContinuousClock.now - start)
                    }
                    try await phone.hangUp()
                    return nil
                }
            }
            group.addTask { try await Self.measured(server, journal, seconds: seconds) }
            return try await group.reduce(nil) { $0 ?? $1 }
        }
        try await network.shutDown()
        guard let measurement else { throw BenchmarkFailure.badConstant }
        return LoadResult(load: self, measurement: measurement, latencies: journal.latencies)
    }

    /// Opens the measurement window, waits, and closes it; the phones work all the time.
    private static func measured(
        _ server: some MeasuredServer, _ journal: LoadJournal, seconds: Double
    ) async throws -> LoadResult.Measurement {
        try await Task.sleep(for: warmUp)
        let clock = ContinuousClock()
        let generator = try ProcessTime(ofProcess: LoadResult.ownProcess)
        let time = try server.time
        let start = clock.now
        journal.begin()
        try await Task.sleep(for: .seconds(seconds))
        journal.end()
        return LoadResult.Measurement(
            seconds: (clock.now - start) / .seconds(1), server: try server.time - time,
            generator: try ProcessTime(ofProcess: LoadResult.ownProcess) - generator)
    }
}
