import Logging
package import ServerCore

extension ServerPorts {
    /// Ports of a service that logs nothing and takes no algorithms on secp256k1.
    package static func quiet(
        clock: any WallClock, random: any RandomSource, dispatchers: [any Dispatcher] = []
    ) -> ServerPorts {
        ServerPorts(
            clock: clock, random: random, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            dispatchers: dispatchers)
    }
}
