import LoadGenerator

/// Arrangement of databases, cores and times that the parts of the benchmark of scale share.
struct ScaleSetting: Sendable {
    /// Databases.
    let storages: ScaleStorages
    /// Cores of generator and servers; nil: they share them.
    let pinning: CorePinning?
    /// Seconds of each measurement.
    let seconds: Double
    /// Largest number of users.
    let userLimit: Int

    /// Number of users where a part has only one.
    var middleUserCount: Int { min(100_000, userLimit) }

    /// Servers for a part: how many, on which database, and what is between.
    struct Arrangement: Sendable {
        let kind: DatabaseKind
        let userCount: Int
        var serverCount = 1
        /// Time that a round trip between server and database takes longer.
        var delay = Duration.zero
        /// Whether clients for out-of-band operations are registered.
        var hasPairs = false
        /// Whether generator and servers have cores of their own, from the start of the servers on.
        var isPinned = false
    }

    /// Starts the servers of an arrangement with their clients, lets `measure` load them, and stops them.
    func with<Result: Sendable>(
        _ arrangement: Arrangement, _ measure: (MeasuredProcesses, ClientLoad) async throws -> Result
    ) async throws -> Result {
        var storage = try await storages.storage(arrangement.kind, users: arrangement.userCount)
        var (proxy, roundTrip): (DelayProxy?, Duration) = (nil, .zero)
        if arrangement.delay > .zero, let cluster = storages.cluster {
            let delaying = try await DelayProxy.calibrated(to: cluster, roundTrip: arrangement.delay)
            storage = storage.reached(over: delaying.proxy.port)
            (proxy, roundTrip) = (delaying.proxy, delaying.measured)
        }
        let database = arrangement.kind == .postgresql ? storages.cluster?.identifier : nil
        let servers = try await started(arrangement, on: storage, database)
        let client = try await LoadClient(of: servers, keys: storages.keys, hasPairs: arrangement.hasPairs)
        let result = try await measure(
            MeasuredProcesses(servers: servers, database: database, roundTrip: roundTrip),
            ClientLoad(client: client, userCount: arrangement.userCount, seconds: seconds))
        try await client.shutDown()
        for server in servers { try await server.end() }
        try await proxy?.shutDown()
        if arrangement.isPinned { try pinning?.release([database].compactMap { $0 }) }
        return result
    }

    private func started(
        _ arrangement: Arrangement, on storage: ServerStorage, _ database: Int32?
    ) async throws -> [BenchmarkServer] {
        let start = {
            var servers: [BenchmarkServer] = []
            for number in 0..<arrangement.serverCount {
                servers.append(try await BenchmarkServer(on: storage, instance: "server\(number)"))
            }
            return servers
        }
        guard arrangement.isPinned, let pinning else { return try await start() }
        let servers = try await pinning.onServerCores(start)
        try pinning.pin(servers.map(\.identifier) + [database].compactMap { $0 })
        return servers
    }
}
