/// Whether a kind of authenticator can be used on this device.
@nonexhaustive
package enum AuthenticatorAvailability: Hashable, Sendable {
    /// It can be registered and used.
    case available
    /// The device could verify its user, but he has enrolled nothing with the operating system yet.
    case notEnrolled
    /// The model exists, but this device offers no way to verify its user, or offers a better one instead.
    case notOffered
}
