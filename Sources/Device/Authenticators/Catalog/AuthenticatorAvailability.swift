/// Whether a kind of authenticator can be used on this device.
@nonexhaustive
package enum AuthenticatorAvailability: Hashable, Sendable {
    /// It can be registered and used.
    case available
    /// The model exists, but this device offers no way to verify its user: no hardware and no service is asked.
    case notOffered
}
