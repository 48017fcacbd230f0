import UAF

/// Login by password (`POST /auth/pwd`).
package struct PasswordLoginSettings: Sendable, Hashable {
    package var cost = PasswordHashCost.standard
    /// Wrong passwords for one name from one address in ``window`` before further tries are refused unchecked.
    package var failureLimit = 5
    /// Wrong passwords for one name from anywhere in ``window`` before further tries wait until no others do, unless the
    /// user has logged in from their address before.
    package var failureLimitPerName = 50
    /// Wrong passwords from one address for any names in ``window`` before further tries are refused unchecked.
    package var failureLimitPerAddress = 100
    /// Passwords that are checked at the same time, each on a thread of its own.
    package var laneCount = 2
    /// Passwords that wait for one of these threads at most.
    package var queueLimit = 128
    /// Passwords of one address that wait for one of these threads at most.
    package var queueLimitPerAddress = 32
    /// Time after which a wrong password no longer counts.
    package var window: Duration = .seconds(300)

    package init() {}
}
