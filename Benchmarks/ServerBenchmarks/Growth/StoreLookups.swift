import BenchmarkSupport
import Foundation
import LoadGenerator
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import TestSupport
import UAF

/// Time in the store, without a server, of what a sign-in reads: the user by name with the credentials for the request,
/// and the same by identity for the response.
///
/// All sizes are measured in turns, a round of each, so that other work on this machine disturbs both sides of a ratio alike.
struct StoreLookups {
    /// Distribution of the users who are looked up.
    enum Users: String, CaseIterable {
        /// Zipf distribution, as in all loads.
        case frequent = "store-lookup"
        /// Every user alike: hardly any was looked up before.
        case uniform = "store-lookup-uniform"

        var skew: Double { self == .uniform ? 0 : 0.8 }
    }

    private static let rounds = 41
    private static let lookupsOfRound = 500
    /// Look-ups before the first round: enough to fill the caches of all connections, or to read everybody with each.
    private static func warmUp(of users: Int) -> Int { min(4 * users, 100_000) }

    private let stores: [Store]

    /// Opens the databases with the settings of a server.
    init(_ databases: [GrowthDatabases.Filled]) throws {
        stores = try databases.map { try Store($0) }
    }

    /// Figures of all sizes, with ratios to the smallest.
    func figures() async throws -> [Figure] {
        var figures: [Figure] = []
        for users in Users.allCases {
            ProgressLine.say("looking users up in the store (\(users.rawValue)) ...")
            figures += try await self.figures(users)
        }
        return figures
    }

    /// Closes the databases.
    func close() throws { for store in stores { try store.database.close() } }

    private func figures(_ users: Users) async throws -> [Figure] {
        var series = stores.map { Series(store: $0, users) }
        for index in series.indices { try await series[index].warmUp(Self.warmUp(of: stores[index].size.count)) }
        for _ in 0..<Self.rounds {
            for index in series.indices { try await series[index].round(Self.lookupsOfRound) }
        }
        guard let first = series.first else { return [] }
        return series.flatMap { $0.figures(users.rawValue, beside: first) }
    }
}

extension StoreLookups {
    /// Open database.
    private struct Store {
        let size: LoadSize
        let database: SQLiteDatabase
        let ports: Storage

        init(_ filled: GrowthDatabases.Filled) throws {
            size = filled.size
            database = try SQLiteDatabase(path: filled.file.path())
            ports = SQLStorage(on: database, chainID: "growth").ports
        }

        /// Reads what a sign-in of a user reads.
        func lookUp(_ user: Int) async throws {
            guard let name = UserName(Population.user(user)),
                let asked = try await ports.credentials.holder(named: name)
            else { throw BenchmarkFailure.badConstant }
            let answering = try await ports.read { snapshot throws(ServerTransactionFailure) in
                try snapshot.holder(asked.user.id)
            }
            guard answering?.credentials.count == 1 else { throw BenchmarkFailure.badConstant }
        }
    }

    /// Times of one store.
    private struct Series {
        let store: Store
        private let users: ZipfDistribution
        private var random = SeededGenerator(seed: 1)
        private var means: [Double] = []
        private var times = LatencySamples()

        init(store: Store, _ users: Users) {
            self.store = store
            self.users = ZipfDistribution(count: store.size.count, skew: users.skew)
        }

        mutating func warmUp(_ count: Int) async throws {
            for _ in 0..<count { try await store.lookUp(users.rank(&random)) }
        }

        mutating func round(_ count: Int) async throws {
            var sum = Duration.zero
            for _ in 0..<count {
                let user = users.rank(&random)
                let start = ContinuousClock.now
                try await store.lookUp(user)
                let time = ContinuousClock.now - start
                sum += time
                times.record(time)
            }
            means.append(sum / .microseconds(count))
        }

        func figures(_ name: String, beside first: Series) -> [Figure] {
            let ratios = zip(means, first.means).map { $0 / $1 }
            return [
                Figure(
                    name: "\(name)-\(store.size)", value: Percentile.median(of: means), unit: "us",
                    ratio: Percentile.median(of: ratios), base: "\(name)-\(first.store.size)"),
                Figure(name: "\(name)-p99-\(store.size)", value: times.value(at: 0.99) / .microseconds(1), unit: "us"),
            ]
        }
    }
}
