package import LoadControl
package import Logging

/// Ports of the services, beside the storage.
package struct ServerPorts: Sendable {
    /// Tells the time in which lifetimes are counted.
    package let clock: any WallClock
    /// Tells the time of day, for what is compared with the clocks of others.
    package let wall: any WallClock
    /// The server time that ``clock`` tells and that has to be kept; nil for a clock that needs no keeping.
    package let serverClock: ServerClock?
    package let random: any RandomSource
    /// Takes what an operator should know; never user data, tokens or challenges.
    package let logger: Logger
    /// Deliver payloads to phones.
    package let dispatchers: DispatcherSet
    package let pause: any Pause
    package private(set) var load = LoadController()
    package private(set) var processes = ProcessPorts()

    package init(
        clock: any WallClock, random: any RandomSource, logger: Logger, dispatchers: [any Dispatcher] = [],
        pause: any Pause = SystemPause()
    ) {
        self.clock = clock
        serverClock = clock as? ServerClock
        wall = serverClock?.wall ?? clock
        self.random = random
        self.logger = logger
        self.dispatchers = DispatcherSet(Dispatchers(dispatchers))
        self.pause = pause
    }

    /// The same ports of one of several processes on the database.
    package func beside(_ processes: ProcessPorts) -> ServerPorts {
        var ports = self
        ports.processes = processes
        return ports
    }

    package func bounded(by load: LoadController) -> ServerPorts {
        var ports = self
        ports.load = load
        return ports
    }
}
