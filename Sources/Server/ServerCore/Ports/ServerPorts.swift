package import Logging
package import RelyingParty

/// What the services take from outside, beside the storage.
package struct ServerPorts: Sendable {
    /// Tells the time.
    package let clock: any WallClock
    /// Makes challenges, identifiers and keys.
    package let random: any RandomSource
    /// Takes what an operator should know; never user data, tokens or challenges.
    package let logger: Logger
    /// Verifies for the algorithms on secp256k1; without it they are unsupported.
    package let secp256k1: (any SignatureVerifier)?
    /// Bring payloads to phones; no two of the same name.
    package let dispatchers: [any Dispatcher]
    /// Waits for an operation to move on.
    package let pause: any Pause

    /// Puts the ports together.
    package init(
        clock: any WallClock, random: any RandomSource, logger: Logger, secp256k1: (any SignatureVerifier)?,
        dispatchers: [any Dispatcher] = [], pause: any Pause = SystemPause()
    ) {
        self.clock = clock
        self.random = random
        self.logger = logger
        self.secp256k1 = secp256k1
        self.dispatchers = dispatchers
        self.pause = pause
    }
}
