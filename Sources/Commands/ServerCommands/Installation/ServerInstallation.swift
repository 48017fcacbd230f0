import CommandSupport
import LoadControl
import Logging
import Octets
import OpenID
import ServerConfiguration
import ServerCore
import ServerPersistence
import UAF
import UAFService

/// Opened installation of a server: data directory, master key, database, and the services on them.
struct ServerInstallation {
    let deployment: Deployment
    let database: ServerDatabase
    let services: ServerServices
    private let transactions: any OpenIDTransactionRunner
    var sites: OpenIDServer { OpenIDServer(services, transactions: transactions, settings: deployment.webSites) }
    /// Server time, by which lifetimes are measured.
    let clock: ServerClock
    /// Numbers of the schema migrations that were run when it was opened.
    let migrations: [Int]
    var load: LoadController { equipment.load }
    private let equipment: Equipment
    /// Marks by which a database that was put back is noticed.
    var marks: DatabaseMarks { DatabaseMarks(deployment, in: database.tables) }

    /// Parts that a process brings along beside its configuration.
    struct Equipment {
        var dispatchers = Dispatchers()
        /// Bounds the queues, and is told of what they do.
        var load = LoadController()
    }

    enum Opener: Sendable {
        /// A server, with the ports to the others on the database.
        case server(ProcessPorts)
        /// A command, with the operator who runs it, as far as the audit names one.
        case command(AuditActor?, expecting: EmptyDatabase.Expectation = .any)

        fileprivate var actor: AuditActor? { if case .command(let actor, _) = self { actor } else { nil } }
        fileprivate var expectation: EmptyDatabase.Expectation {
            if case .command(_, let expectation) = self { expectation } else { .any }
        }

        fileprivate func patience(_ logger: Logger) -> BusyDatabase {
            guard case .server = self else { return BusyDatabase(attempts: 1) }
            return BusyDatabase(attempts: BusyDatabase.patientAttempts) {
                logger.notice("waiting for the database, which another process has locked")
            }
        }

        /// Brings the database to the form of this version: a server any, a command an empty one.
        ///
        /// Servers of the version before could not start any more, which a look at the users is not to bring about.
        fileprivate func migrate(
            _ database: any SQLDatabase, at now: Timestamp
        ) async throws(ServerPersistenceError) -> [Int] {
            switch self {
            case .server: try await Migrator().migrate(database, at: now)
            case .command: try await Migrator().requireCurrent(database, at: now)
            }
        }

        fileprivate func processes(on deployment: Deployment) -> ProcessPorts {
            switch self {
            case .server(let ports): ports
            case .command: SharedDatabase.portsOfCommand(deployment)
            }
        }
    }

    /// Opens the installation, and creates without a question whatever is missing.
    ///
    /// `origin` is where clients reach the service; `opener` is the program that opens it. A master key is never created
    /// beside a database that holds keys wrapped by another one, unless the operator declares it lost; then all keys are
    /// replaced before anything else.
    static func open(
        _ deployment: Deployment, origin: String, equipment: Equipment = Equipment(), isMasterKeyLost: Bool = false,
        logger: Logger, by opener: Opener = .command(nil)
    ) async throws -> ServerInstallation {
        let clock = ServerClock(monotonic: SystemBootClock())
        let (database, migrations) = try await database(of: deployment, at: clock.now(), opener, logger)
        if isMasterKeyLost { try await requireNoServer(on: database, of: deployment, at: clock.now()) }
        let metadata = try deployment.metadata(from: PosixFiles())
        let settings = try deployment.serverSettings(metadata: metadata, origin: origin)
        let tables = storage(on: database, of: deployment, settings, opener, equipment.load, logger)
        let storage = tables.ports
        let master = MasterKeyFile(path: deployment.masterKeyFile, database: deployment.database.place)
        let masterKey = try await master.key(for: storage.keys, isLost: isMasterKeyLost)
        let services = try ServerServices(
            settings: settings, storage: storage, masterKey: masterKey, metadata: metadata,
            ports: ServerPorts(
                clock: clock, random: SystemRandomSource(), logger: logger
            ).beside(opener.processes(on: deployment)).bounded(by: equipment.load))
        services.ports.dispatchers.replace(with: equipment.dispatchers)
        if isMasterKeyLost { try await services.replaceKeys(isMasterKeyLost: true) }
        do throws(ServerError) {
            try await services.start()
        } catch {
            throw master.explained(error)
        }
        if case .command = opener { try await DatabaseMarks(deployment, in: database.tables).endBeginning() }
        return ServerInstallation(
            deployment: deployment, database: database, services: services, transactions: tables.openID, clock: clock,
            migrations: migrations,
            equipment: equipment)
    }

    /// The ports on a database, whose failures the log tells in words; a command ends with those words instead.
    private static func storage(
        on database: ServerDatabase, of deployment: Deployment, _ settings: ServerSettings, _ opener: Opener,
        _ load: LoadController, _ logger: Logger
    ) -> SQLStorage {
        let (place, failures) = (deployment.database.place, DatabaseFailures.current)
        return SQLStorage(
            on: database.tables, chainID: settings.instanceName, actor: opener.actor, load: load,
            report: { error in
                let failure = CommandFailure(database: error, place: place)
                if let failures {
                    failures.note(failure)
                } else {
                    logger.error("the database fails", metadata: ["error": "\(failure.message)"])
                }
            },
            recovered: { logger.notice("the database works again", metadata: ["database": "\(place)"]) })
    }

    /// Opens the database, in the form of this version, unless it is not the one that is expected here.
    private static func database(
        of deployment: Deployment, at now: Timestamp, _ opener: Opener, _ logger: Logger
    ) async throws -> (database: ServerDatabase, migrations: [Int]) {
        try PosixFiles().makePrivateFolder(deployment.dataDirectory)
        let empty = EmptyDatabase(deployment, opener.expectation)
        try empty.requireMayBeMade()
        // A program that is killed from here on, until the keys are in the database, begins again.
        if empty.isMissing { try MarkFile(besides: deployment.leaseFile).begin() }
        let opened = try await database(of: deployment, at: now, empty, opener, logger)
        if case .server = opener {
            try await DatabaseMarks(deployment, in: opened.database.tables).advance(at: SystemWallClock().now())
        }
        return opened
    }

    /// Opens the database and brings it to the form of this version; an error names the place and the remedy.
    private static func database(
        of deployment: Deployment, at now: Timestamp, _ empty: EmptyDatabase, _ opener: Opener, _ logger: Logger
    ) async throws(CommandFailure) -> (database: ServerDatabase, migrations: [Int]) {
        let opened: (database: ServerDatabase, migrations: [Int])?
        do throws(ServerPersistenceError) {
            opened = try await opener.patience(logger).retried {
                () async throws(ServerPersistenceError) -> (database: ServerDatabase, migrations: [Int])? in
                let database = try ServerDatabase(deployment.database, instanceName: deployment.instanceName)
                guard try await !empty.refuses(database.tables) else { return nil }
                let migrations = try await opener.migrate(database.tables, at: now)
                try await DatabaseCopy.requireNone(into: database.tables)
                return (database: database, migrations: migrations)
            }
        } catch {
            throw CommandFailure(database: error, place: deployment.database.place)
        }
        guard let opened else { throw empty.refusal ?? .local("databaseEmpty", "the database is empty") }
        return opened
    }

    /// Throws `databaseInUse` while a server reports to a database server: it would go on with the lost keys.
    ///
    /// Servers on a database file hold its lease.
    private static func requireNoServer(
        on database: ServerDatabase, of deployment: Deployment, at now: Timestamp
    ) async throws {
        guard let running = try await RunningServers.name(on: database.tables, at: now) else { return }
        throw CommandFailure(databaseInUseBy: running, place: deployment.database.place)
    }

    func counts() async throws -> DatabaseCounts {
        do throws(ServerPersistenceError) {
            return try await DatabaseCounts(of: database.tables)
        } catch {
            throw CommandFailure(database: error, place: deployment.database.place)
        }
    }

    /// Closes the database; everything committed is in it.
    func close() throws {
        try database.close()
    }
}

/// File of the master key, which wraps all keys in the database.
struct MasterKeyFile {
    let path: String
    /// Place of the database, for messages.
    let database: String

    private let files = PosixFiles()

    /// Reads the master key, or creates it when neither the file nor a wrapped key exists.
    ///
    /// With `isLost` a missing file is created even when there are wrapped keys. Throws when others can read the file,
    /// and when it is missing although the database needs it.
    func key(for stored: any KeyStore, isLost: Bool) async throws -> MasterKey {
        if files.permissions(of: path) == nil {
            let isNeeded = try await !stored.keys().isEmpty
            guard isLost || !isNeeded else { throw missing }
            let fresh = MasterKey.fresh(from: SystemRandomSource())
            try fresh.withUnsafeBytes { bytes throws(PosixFiles.Failure) in
                try files.writeNew(Array(bytes), to: path, mode: 0o600)
            }
        }
        if let mode = files.permissions(of: path), mode & 0o077 != 0 {
            throw CommandFailure.local(
                "exposedMasterKey", "\(path) can be read by others; make it readable by its owner only")
        }
        guard var bytes = files.contents(of: path) else {
            throw CommandFailure.local("fileUnusable", "cannot read the master key file \(path)")
        }
        defer { SecretOctets.wipe(&bytes) }
        return try MasterKey(SecretOctets(copying: bytes))
    }

    /// An error of the start that concerns the key, with the names of the files.
    func explained(_ error: ServerError) -> any Error {
        guard error == .wrongMasterKey else { return error }
        return CommandFailure.local(
            "wrongMasterKey",
            "the master key in \(path) does not open the keys in the database \(database); \(Self.waysOut)")
    }

    private var missing: CommandFailure {
        .local(
            "masterKeyLost",
            "the master key file \(path) is missing, but the database \(database) holds keys that only it opens; "
                + Self.waysOut)
    }

    private static let waysOut =
        "put the right file back (servers that share the database have one master key: it is the file of the others), or, "
        + "if it is nowhere, run \"signet-server keys replace --lost-master-key\", which makes new keys and ends every "
        + "challenge and token, but keeps users and credentials"
}
