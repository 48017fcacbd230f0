/// Data of the SDK stored on this device.
///
/// Accounts and device information are a snapshot that the last finished operation left; reading never waits.
///
/// ```swift
/// let registered = client.localData.authenticators.filter { $0.registration.isRegistered(name) }
/// for authenticator in registered where !authenticator.registration.isUsable(name) {
///     try await client.localData.removeAuthenticator(username: name, aaid: authenticator.aaid)
/// }
/// ```
public protocol LocalData: Sendable {
    /// The accounts with at least one registration on this device.
    var accounts: [any Account] { get }
    /// All kinds of authenticators, registered or not.
    ///
    /// Device support, and enrolment in the operating system, are read anew at each access where the platform tells
    /// them at once, as Apple's do; elsewhere they are what the last operation or ``refresh()`` has seen.
    var authenticators: [any Authenticator] { get }
    /// Device information that servers hold; nil before the first and after the last registration.
    var deviceInformation: DeviceInformation? { get }

    /// Number of registrations whose records on this device are damaged.
    ///
    /// They are in no list, because nothing says whose they are; no other registration is affected. The servers still
    /// have their keys.
    var damagedRegistrationCount: Int { get }

    /// The accounts now, and again after every change; each access gives a new stream.
    var accountsStream: AsyncStream<[any Account]> { get }

    /// Looks again at what is stored and at what the device supports, for example when the user comes back from the
    /// settings; asks the user nothing.
    func refresh() async

    /// Deletes registrations from this device; the server keeps its side until it is told.
    ///
    /// It is told by the next registration of the user, by ``DeviceInformationSync`` and by a ``Deregistration`` with
    /// ``JwsAuthorizationProvider``; ``DeviceInformationCheck`` reports what it was not told yet.
    ///
    /// It blocks the calling thread until the registrations are gone and must not be called on the main thread. A user without
    /// registrations is no error. `aaid` nil stands for every authenticator of the user. Keys that
    /// the vault does not give up at once are taken by the next operation or start of the client.
    ///
    /// Throws ``DeleteAuthenticatorError``: `InvalidAaid` when the AAID is none of ``AuthenticatorAaid``, and `Unknown`
    /// when the store failed. The type is not part of the signature, so that implementations of applications fit.
    func deleteAuthenticator(username: Username, aaid: String?) throws

    /// As ``deleteAuthenticator(username:aaid:)``, without blocking a thread.
    func removeAuthenticator(username: Username, aaid: String?) async throws(DeleteAuthenticatorError)

    /// Gives up the registrations whose records are damaged, and their keys; no server is told.
    ///
    /// Until then they stay as they are, so that an undamaged copy of the file can be put back. Throws
    /// ``DeleteAuthenticatorError/Unknown(cause:)`` when the store failed.
    func removeDamagedRegistrations() async throws(DeleteAuthenticatorError)
}

extension LocalData {
    /// 0: for implementations that store nothing.
    public var damagedRegistrationCount: Int { 0 }

    /// Does nothing: for implementations that store nothing.
    public func removeDamagedRegistrations() async throws(DeleteAuthenticatorError) {}

    /// Does nothing: for implementations that are always current.
    public func refresh() async {}

    /// The accounts now; the stream reports no later change.
    public var accountsStream: AsyncStream<[any Account]> {
        let accounts = accounts
        return AsyncStream { continuation in
            continuation.yield(accounts)
            continuation.finish()
        }
    }

    /// Does what ``deleteAuthenticator(username:aaid:)`` does, off the main thread.
    @concurrent
    public func removeAuthenticator(username: Username, aaid: String?) async throws(DeleteAuthenticatorError) {
        do {
            try deleteAuthenticator(username: username, aaid: aaid)
        } catch let error as DeleteAuthenticatorError {
            throw error
        } catch {
            throw .Unknown(cause: error)
        }
    }
}

/// Accounts that an application does not see, for tools of this project: deleted on this device without telling the
/// server, or begun by a registration that the server has not answered.
package protocol UnsettledAccounts: Sendable {
    var usersOfUntoldDeletions: [Username] { get }
    var unansweredRegistrations: [any Account] { get }
}
