/// What a server has begun out of band.
public enum OutOfBandStep: Sendable {
    /// The user is to register an authenticator of this device.
    case registration(any OutOfBandRegistration)
    /// The user is to authenticate, or to confirm a transaction.
    case authentication(any OutOfBandAuthentication)
    /// The server has taken registrations of this device back, and they are gone here as well; nothing is left to do.
    case deregistration
}
