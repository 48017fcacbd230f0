import LoadControl
import ServerConfiguration
import ServerPersistence
import ServerPersistencePostgreSQL
import ServerPersistenceSQLite

struct ServerDatabase {
    let tables: any SQLDatabase
    private let closing: @Sendable () throws(ServerPersistenceError) -> Void

    /// Opens a file, and makes it when it is not there, or describes a database on a server, to which the first use
    /// connects.
    init(_ deployment: DatabaseDeployment, instanceName: String) throws(ServerPersistenceError) {
        switch deployment {
        case .sqlite(let file, let cacheSize):
            let database = try SQLiteDatabase(path: file, cache: SQLiteCache(size: cacheSize))
            tables = database
            closing = { () throws(ServerPersistenceError) in try database.close() }
        case .postgreSQL(let server):
            let database = try PostgreSQLDatabase(PostgreSQLSettings(server, instanceName: instanceName)) {
                Deadline.ofStatements.map { $0.left(at: Deadline.clock()) }
            }
            tables = database
            closing = { () throws(ServerPersistenceError) in database.close() }
        }
    }

    /// Brings what is in the log of a file into the file.
    func checkpoint() throws(ServerPersistenceError) { try (tables as? SQLiteDatabase)?.checkpoint() }

    func close() throws(ServerPersistenceError) { try closing() }
}

extension PostgreSQLSettings {
    init(_ server: PostgreSQLDeployment, instanceName: String) {
        let roots = server.rootCertificatesFile ?? Self.systemRootCertificatesFile
        let protection: Protection =
            switch server.verification {
            case .full: .knownHost(rootCertificatesFile: roots)
            case .authority: .knownAuthority(rootCertificatesFile: roots)
            case .disabled: .none
            }
        self.init(
            host: server.host, port: server.port, database: server.name, user: server.user, protection: protection)
        passwordFile = server.passwordFile
        if let certificateFile = server.certificateFile, let privateKeyFile = server.privateKeyFile {
            clientCertificate = ClientCertificate(certificateFile: certificateFile, privateKeyFile: privateKeyFile)
        }
        applicationName = "signet-server " + instanceName
        readerCount = max(2, server.connectionCount - 2)
        connectTimeout = server.connectTimeout
        statementTimeout = server.statementTimeout
        lockTimeout = server.lockTimeout
    }
}
