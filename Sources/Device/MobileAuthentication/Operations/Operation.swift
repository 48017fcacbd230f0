/// A task that the SDK runs once.
///
/// Every access to a property of ``Operations`` gives a new operation; executing one a second time is an error.
public protocol Operation: Sendable {
    /// Executes the operation; exactly one of the closures is called, once, on the main actor.
    func execute()

    /// Ends the operation as if the user had canceled it; does nothing when it has ended.
    func cancel()
}

/// An operation that talks to a server.
public protocol HttpOperation: Operation {
    /// Adds headers to every request of the operation.
    ///
    /// They never replace `Accept`, `Content-Type`, `Authorization`, `Cookie` and `Device-Signature`.
    @discardableResult
    func requestHeaders(_ headers: [String: String]) -> Self
}

/// All that the SDK can do for a user; every access gives a new operation.
///
/// ```swift
/// let operation = client.operations.authentication
///     .username(username)
///     .authenticatorSelector(choices)
///     .pinUserVerifier(pins)
///     .onSuccess { _ in show("Signed in") }
///     .onError { error in show(error.isUserCancellation ? "Cancelled" : error.localizedDescription) }
/// stopButton.action = { operation.cancel() }
/// operation.execute()
/// ```
public protocol Operations: Sendable {
    /// Registers an authenticator of this device for a user.
    var registration: any Registration { get }
    /// Registers with an Authentication Cloud that has invited the user.
    var authCloudApiRegistration: any AuthCloudApiRegistration { get }
    /// Authenticates a user with a registered authenticator.
    var authentication: any Authentication { get }
    /// Removes authenticators of a user from the server and from this device.
    var deregistration: any Deregistration { get }
    /// Replaces the PIN of a user on this device.
    var pinChange: any PinChange { get }
    /// Replaces the password of a user on this device.
    var passwordChange: any PasswordChange { get }
    /// Decodes the payload of a QR code, a link or a push message.
    var outOfBandPayloadDecode: any OutOfBandPayloadDecode { get }
    /// Redeems the token of a payload and provides the operation that a server has begun.
    var outOfBandOperation: any OutOfBandOperation { get }
    /// Asks the servers of this device for operations pending for it.
    var pendingOutOfBandOperations: any PendingOutOfBandOperations { get }
    /// Changes name and push token of this device, here and at its servers.
    var deviceInformationChange: any DeviceInformationChange { get }
    /// Compares what this device and its servers know of each other.
    var deviceInformationCheck: any DeviceInformationCheck { get }
    /// Repairs what a comparison has found.
    var deviceInformationSync: any DeviceInformationSync { get }
}
