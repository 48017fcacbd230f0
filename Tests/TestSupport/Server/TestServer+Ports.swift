import Logging
package import ServerCore

extension TestServer {
    /// Ports for a service beside the server, with its clock and randomness.
    package var ports: ServerPorts {
        ServerPorts(
            clock: serverClock ?? clock, random: random,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
}
