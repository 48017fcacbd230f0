import Logging
import Octets
import Secp256k1
import ServerConfiguration
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import UAF

/// The files of one server, opened: data directory, master key, database and the services on them.
struct ServerInstallation {
    let deployment: Deployment
    let database: SQLiteDatabase
    let services: ServerServices
    /// Numbers of the database steps that opening has run.
    let migrations: [Int]

    /// Opens the installation, and makes what is not there yet without asking.
    ///
    /// `origin` is where clients reach the service; `dispatchers` bring payloads to phones.
    static func open(
        _ deployment: Deployment, origin: String, dispatchers: [any Dispatcher] = [], logger: Logger
    ) async throws -> ServerInstallation {
        let files = PosixFiles()
        let clock = SystemWallClock()
        try files.makePrivateFolder(deployment.dataDirectory)
        let masterKey = try masterKey(deployment.masterKeyFile, files)
        let database = try SQLiteDatabase(path: deployment.databaseFile)
        let migrations = try await Migrator().migrate(database, at: clock.now())
        let metadata = try deployment.metadata(from: files)
        let settings = try deployment.serverSettings(metadata: metadata, origin: origin)
        let storage = SQLStorage.ports(on: database, chainID: settings.instanceName) { error in
            logger.error("database", metadata: ["error": "\(error)"])
        }
        let services = try ServerServices(
            settings: settings, storage: storage, masterKey: masterKey, metadata: metadata,
            ports: ServerPorts(
                clock: clock, random: SystemRandomSource(), logger: logger, secp256k1: Secp256k1Verifier(),
                dispatchers: dispatchers))
        try await services.start()
        return ServerInstallation(
            deployment: deployment, database: database, services: services, migrations: migrations)
    }

    /// Closes the database; everything committed is in its file.
    func close() throws {
        try database.close()
    }

    private static func masterKey(_ path: String, _ files: PosixFiles) throws -> MasterKey {
        if files.permissions(of: path) == nil {
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
}
