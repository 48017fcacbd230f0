import Logging
import ServerConfiguration
import ServerCore
import ServerProcesses

/// Ports of one process to the others that share its database file.
struct SharedDatabase {
    /// Ports of a server.
    let ports: ProcessPorts
    /// Channel to the others; nil when there can be none.
    private let channel: LocalProcessChannel?

    /// Opens the ports of a server; without a channel, which is logged, the others learn nothing of it before they look
    /// at the database.
    init(_ deployment: Deployment, logger: Logger) {
        let random = SystemRandomSource()
        do throws(ServerProcessesError) {
            channel = try LocalProcessChannel(besides: deployment.databaseFile, random: random)
        } catch {
            channel = nil
            logger.warning(
                "no messages to other servers on this database: they look at it once a second",
                metadata: ["error": "\(error)"])
        }
        let ending = random.bytes(count: 3).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let others: any ProcessChannel = if let channel { channel } else { ProcessPorts.Alone() }
        ports = ProcessPorts(
            presence: .named("\(deployment.instanceName)/\(ending)"), channel: others,
            leadership: FileLeadership(besides: deployment.databaseFile))
    }

    /// Ports of a command beside the servers: it tells them what it changes, hears nothing and leads in nothing.
    static func portsOfCommand(_ deployment: Deployment) -> ProcessPorts {
        guard let announcer = try? LocalProcessChannel.Announcer(besides: deployment.databaseFile) else {
            return ProcessPorts(presence: .hidden)
        }
        return ProcessPorts(presence: .hidden, channel: announcer)
    }

    /// Ends the channel.
    func leave() { channel?.close() }
}
