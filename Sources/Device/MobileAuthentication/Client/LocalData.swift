/// What is stored on this device.
///
/// Everything read here is a snapshot that the last finished operation left; reading never waits.
public protocol LocalData: Sendable {
    /// The accounts with at least one registration on this device.
    var accounts: [any Account] { get }
    /// All kinds of authenticators, registered or not.
    var authenticators: [any Authenticator] { get }
    /// What servers know about this device; nil before the first and after the last registration.
    var deviceInformation: DeviceInformation? { get }

    /// The accounts now, and again after every change; each access gives a stream of its own.
    var accountsStream: AsyncStream<[any Account]> { get }

    /// Deletes registrations from this device; the server keeps its side.
    ///
    /// It blocks the calling thread until the registrations are gone and must not be called on the main thread. A user without
    /// registrations is no error. `aaid` nil stands for every authenticator of the user. The keys
    /// themselves are taken out of their vault by the next operation or start of the client.
    ///
    /// Throws `InvalidAaid` when the AAID is none of ``AuthenticatorAaid``, and `Unknown` when the store failed.
    func deleteAuthenticator(username: Username, aaid: String?) throws(DeleteAuthenticatorError)

    /// As ``deleteAuthenticator(username:aaid:)``, without blocking a thread; the keys are taken out of their vault at once.
    func removeAuthenticator(username: Username, aaid: String?) async throws(DeleteAuthenticatorError)
}
