import BenchmarkSupport

/// Loads of web sites and their visitors, against a server of their own that has an OpenID Provider.
///
/// The sign-ins of phones are measured without one, as it was before there was any: a server that has it reads its own
/// audit for those who subscribe to it.
struct WebSiteBenchmark {
    /// The last has as many as the phones of the sign-ins that a round is compared with.
    private static let pairs = [
        Load(name: "16-pairs", phoneCount: 16), Load(name: "64-pairs", phoneCount: Load.phoneLimit),
    ]
    private static let browsers = Load(name: "64-browsers", phoneCount: 64)
    /// Pages that stay open.
    private static let pageCount = 1_000

    private let server: BenchmarkServer
    private let pushService: PushService
    private let seconds: Double

    /// Starts the push service and the server.
    init(_ population: Population, seconds: Double) async throws {
        self.seconds = seconds
        pushService = try await PushService()
        server = try await BenchmarkServer(
            population, dispatchers: [pushService.dispatcher, #"{ type: link, base-url: "signet://open" }"#],
            sections: WebSite.settings)
    }

    /// Runs all loads, with a round of bare verifications before each and after the last, and ends the processes.
    func results() async throws -> (results: [WebSiteResult], memory: [Figure], bare: [BareVerification]) {
        let memory = try await memory()
        var bare = [try await BareVerification.round()]
        var results: [WebSiteResult] = []
        for load in Self.pairs {
            results.append(try await codes(load))
            bare.append(try await BareVerification.round())
            results.append(try await confirmations(load))
            bare.append(try await BareVerification.round())
        }
        results.append(try await pages())
        bare.append(try await BareVerification.round())
        try await server.end()
        try await pushService.end()
        return (results, memory, bare)
    }

    // MARK: - Memory

    /// Resident memory of the server before its first request, and with open pages, each with its code.
    private func memory() async throws -> [Figure] {
        let idle = try ProcessUse.residentOctets(of: server.identifier)
        ProgressLine.say("\(Self.pageCount) pages ...")
        let network = try PhoneNetwork(to: server)
        let connection = try await network.connect()
        for number in 0..<Self.pageCount {
            let browser = connection.forwarding("10.254.\(number >> 8).\(number & 0xFF)")
            _ = try await BrowserVisit(WebSite.CodeRequest(), over: browser).show()
        }
        let open = try ProcessUse.residentOctets(of: server.identifier)
        try await connection.close()
        try await network.shutDown()
        return [
            ProcessUse.figure("memory-idle", octets: idle), ProcessUse.figure("memory-open-pages", octets: open),
        ]
    }

    // MARK: - Loads

    private func codes(_ load: Load) async throws -> WebSiteResult {
        let origin = server.origin
        return try await measured("code", "rounds", load) { number, network in
            try CodePair(number, at: origin, on: network)
        }
    }

    private func confirmations(_ load: Load) async throws -> WebSiteResult {
        let (origin, pushService) = (server.origin, pushService)
        return try await measured("ciba", "rounds", load) { number, network in
            try BackchannelPair(
                user: Population.phoneUser(Load.phoneLimit + number), at: origin, on: network,
                pushedBy: pushService)
        }
    }

    private func pages() async throws -> WebSiteResult {
        try await measured("page", "views", Self.browsers) { number, network in PageVisitor(number, on: network) }
    }

    private func measured<Subject: LoadSubject>(
        _ name: String, _ operations: String, _ load: Load,
        _ make: @escaping @Sendable (Int, PhoneNetwork) throws -> Subject
    ) async throws -> WebSiteResult {
        ProgressLine.say("web-\(name), \(load.name): \(seconds) seconds ...")
        let result = try await load.run(against: server, seconds: seconds, make)
        return WebSiteResult(name: name, operations: operations, result: result)
    }
}
