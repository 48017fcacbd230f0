/// What a server has begun out of band.
public enum OutOfBandStep: Sendable {
    /// The user is to register an authenticator of this device.
    case registration(any OutOfBandRegistration)
    /// The user is to authenticate, or to confirm a transaction.
    case authentication(any OutOfBandAuthentication)
    /// The user has agreed, the server has taken registrations of this device back, and they are gone here as well.
    case deregistration
}
