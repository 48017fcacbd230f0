import Logging
import Octets
import ServerConfiguration
import ServerCore
import ServerPersistence
import ServerPersistencePostgreSQL
import ServerProcesses

/// Ports of one process to the others that share its database.
struct SharedDatabase {
    let ports: ProcessPorts
    private let closing: @Sendable () -> Void

    /// Opens the ports of a server.
    ///
    /// Throws ``ServerPersistenceError`` when there is no thread for connections to a database server.
    static func open(_ deployment: Deployment, logger: Logger) throws -> SharedDatabase {
        let name = "\(deployment.instanceName)/\(Hex.encode(SystemRandomSource().bytes(count: 3)))"
        switch deployment.database {
        case .sqlite(let file, _): return local(file, name: name, logger: logger)
        case .postgreSQL(let server):
            let settings = PostgreSQLSettings(server, instanceName: deployment.instanceName)
            let processes = try PostgreSQLProcesses(settings, name: name, random: SystemRandomSource())
            return SharedDatabase(ports: processes.ports) { processes.close() }
        }
    }

    /// Ports beside a database file; without a channel, which is logged, the others learn nothing of this process before
    /// they look at the database.
    private static func local(_ file: String, name: String, logger: Logger) -> SharedDatabase {
        let leadership = FileLeadership(besides: file)
        do throws(ServerProcessesError) {
            let channel = try LocalProcessChannel(besides: file, random: SystemRandomSource())
            let ports = ProcessPorts(presence: .named(name), channel: channel, leadership: leadership)
            return SharedDatabase(ports: ports) { channel.close() }
        } catch {
            logger.warning(
                "no messages to other servers on this database: they look at it once a second",
                metadata: ["error": "\(error)"])
            return SharedDatabase(ports: ProcessPorts(presence: .named(name), leadership: leadership)) {}
        }
    }

    /// Ports of a command beside the servers.
    ///
    /// A command receives no notifications and never becomes leader. On a database file it notifies the running servers
    /// of its changes; on a database server the database does.
    static func portsOfCommand(_ deployment: Deployment) -> ProcessPorts {
        guard let file = deployment.database.file,
            let announcer = try? LocalProcessChannel.Announcer(besides: file)
        else { return ProcessPorts(presence: .hidden) }
        return ProcessPorts(presence: .hidden, channel: announcer)
    }

    func leave() { closing() }
}
