package import Logging
package import OpenID
package import ServerCore

/// Ports of the delivery of messages.
package struct DeliveryPorts: Sendable {
    package let transactions: any OpenIDTransactionRunner
    /// Server time, in which waits are counted.
    package let clock: any WallClock
    /// Time of day, which receivers compare with theirs.
    package let wall: any WallClock
    package let random: any RandomSource
    package let leadership: any Leadership
    package let logger: Logger

    package init(
        transactions: any OpenIDTransactionRunner, clock: any WallClock, wall: any WallClock,
        random: any RandomSource, leadership: any Leadership, logger: Logger
    ) {
        self.transactions = transactions
        self.clock = clock
        self.wall = wall
        self.random = random
        self.leadership = leadership
        self.logger = logger
    }
}
