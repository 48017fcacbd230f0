import BenchmarkSupport
import CommandSupport
import Foundation

/// Kind of database that a server works on.
enum DatabaseKind: String, Sendable, CaseIterable {
    /// SQLite in a file.
    case sqlite
    /// PostgreSQL on this machine.
    case postgresql
}

/// Databases with populations of several sizes, each filled once, when it is first asked for.
actor ScaleStorages {
    /// Keys of all populations.
    nonisolated let keys: PopulationKeys
    /// PostgreSQL server; nil when the program of the server cannot use one.
    nonisolated let cluster: LocalPostgreSQL?

    private let scratch: TemporaryFolder
    private var filled: [DatabaseKind: [Int: ServerStorage]] = [:]

    /// Starts a PostgreSQL server, unless the program of the server lacks support for it: then a line says so.
    init() async throws {
        let scratch = try TemporaryFolder(named: "signet-scale")
        self.scratch = scratch
        keys = try PopulationKeys()
        if try await Self.supportsPostgreSQL(scratch.url) {
            cluster = try LocalPostgreSQL()
        } else {
            ProgressLine.say("PostgreSQL is left out: signet-server does not know the setting database.driver")
            cluster = nil
        }
    }

    /// Kinds of databases that are measured.
    nonisolated var kinds: [DatabaseKind] { cluster == nil ? [.sqlite] : DatabaseKind.allCases }
    /// Folder on the disk that all databases are on.
    nonisolated var folder: URL { scratch.url }

    /// Database of a kind with a number of users.
    func storage(_ kind: DatabaseKind, users: Int) async throws -> ServerStorage {
        if let storage = filled[kind]?[users] { return storage }
        ProgressLine.say("\(kind.rawValue): writing \(users) users ...")
        let clock = ContinuousClock()
        let start = clock.now
        let storage = try emptyStorage(kind, name: "users\(users)")
        try await storage.fill(with: Population(userCount: users, keys: keys))
        if kind == .postgresql { try await cluster?.settle("users\(users)") }
        ProgressLine.say(
            "\(kind.rawValue): \(users) users written in \(Figure.text((clock.now - start) / .seconds(1))) s")
        filled[kind, default: [:]][users] = storage
        return storage
    }

    private func emptyStorage(_ kind: DatabaseKind, name: String) throws -> ServerStorage {
        let key = scratch.url.appending(path: "\(kind.rawValue)-\(name).key").path()
        switch kind {
        case .sqlite:
            return .sqlite(file: scratch.url.appending(path: "\(name).sqlite").path(), masterKey: key)
        case .postgresql:
            guard let cluster else { throw BenchmarkFailure.badConstant }
            try cluster.createDatabase(name)
            return .postgresql(database: name, port: cluster.port, masterKey: key)
        }
    }

    /// Whether the program of the server knows the setting that names a PostgreSQL database.
    private static func supportsPostgreSQL(_ folder: URL) async throws -> Bool {
        guard let program = ServerProgram.url else { throw BenchmarkFailure.serverNotBuilt }
        let storage = ServerStorage.postgresql(database: "signet", port: 5_432, masterKey: "master.key")
        let file = folder.appending(path: "postgresql.yml")
        try Data(storage.settings.utf8).write(to: file)
        let process = try ChildProcess(
            program, ["config", "check", "--config", file.path(), "--format", "json"], folder: folder,
            name: "config-check")
        let ending = await process.ending()
        return !(ending.output + ending.complaints).contains("database.driver: unknown setting")
    }
}
