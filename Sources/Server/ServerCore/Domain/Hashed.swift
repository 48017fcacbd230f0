/// Subjects of a `SHA256Value`; the cases are types only, so that values of different things never meet.
package enum Hashed {
    /// The value of a session cookie.
    package enum Cookie {}
    /// A challenge.
    package enum Challenge {}
    /// The text of a policy.
    package enum Policy {}
    /// The content of a transaction.
    package enum Transaction {}
    /// One record of an audit chain.
    package enum AuditRecord {}
    /// A token that a phone redeems.
    package enum RedeemToken {}
    /// The digits that link a phone to a screen.
    package enum LinkingDigits {}
    /// A public key of a device (RFC 7638).
    package enum DeviceKey {}
    /// The name that an initiating system gives to one of its sessions.
    package enum InitiatorSession {}
    /// The public key of an application on Apple's platforms.
    package enum AppAttestKey {}
    /// A name and an address that attempts to log in are counted under.
    package enum Attempt {}
    /// A name or external id of a user who was removed.
    package enum RemovedName {}
    /// The key of a system that may begin ceremonies.
    package enum AccessKey {}
}
