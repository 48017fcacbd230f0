import Foundation
import LoadGenerator

/// Sizes of a run of growth, from the environment.
struct GrowthSettings: Sendable {
    /// Numbers of credentials with which a server runs.
    let servers: [LoadSize]
    /// Numbers of credentials with which the store runs alone.
    let stores: [LoadSize]
    /// Sign-ins in a row at the largest server.
    let signIns: LoadSize

    /// Lines about the settings for the usage.
    static let usage = """
        SIGNET_BENCHMARK_CREDENTIALS        growth: credentials of the servers (\(defaultServers)), 0 for no server
        SIGNET_BENCHMARK_STORE_CREDENTIALS  growth: credentials of the store without a server (\(defaultStores)), 0 for none
        SIGNET_BENCHMARK_SIGN_INS           growth: sign-ins in a row at the largest server (\(defaultSignIns)), 0 for none
        """

    private static let defaultServers = "1e3,1e5,1e6"
    private static let defaultStores = "1e7"
    private static let defaultSignIns = "1e6"

    /// Reads the settings; throws for a text that is no size.
    init(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(BenchmarkOptions.Misuse) {
        servers = try Self.sizes("SIGNET_BENCHMARK_CREDENTIALS", Self.defaultServers, environment)
        stores = try Self.sizes("SIGNET_BENCHMARK_STORE_CREDENTIALS", Self.defaultStores, environment)
        let name = "SIGNET_BENCHMARK_SIGN_INS"
        guard let signIns = LoadSize(text: environment[name] ?? Self.defaultSignIns) else {
            throw BenchmarkOptions.Misuse(explanation: "\(name) is a number such as 20000 or 1e6")
        }
        self.signIns = signIns
    }

    private static func sizes(
        _ name: String, _ preset: String, _ environment: [String: String]
    ) throws(BenchmarkOptions.Misuse) -> [LoadSize] {
        guard let sizes = LoadSize.list(environment[name] ?? preset) else {
            throw BenchmarkOptions.Misuse(
                explanation: "\(name) has numbers such as 20000 or 1e6, with commas between them")
        }
        return sizes
    }

    /// All numbers of credentials, in ascending order.
    var all: [LoadSize] { Set(servers + stores).sorted() }

    /// Octets on the disk that all of it takes.
    var space: Int { StorageGrowth.space(credentials: all.map(\.count), signIns: servers.isEmpty ? 0 : signIns.count) }
}
