/// Changes name and push token of this device, at every server that holds a record of it, and then here.
///
/// The record on this device changes only when all servers have accepted; when some have not, the operation ends with the
/// first error after all were asked, and can be repeated. A change of nothing is a success without a request.
public protocol DeviceInformationChange: HttpOperation {
    /// The new name, 1 to 128 characters; no other device of the user may have it.
    @discardableResult
    func name(_ name: String) -> Self

    /// The new token for push messages; it switches them on again.
    @discardableResult
    func fcmRegistrationToken(_ fcmRegistrationToken: String) -> Self

    /// Takes the token away; of this and ``fcmRegistrationToken(_:)`` the later call counts.
    @discardableResult
    func disablePushNotifications() -> Self

    /// How often to try again when a server cannot be reached; the default is never.
    ///
    /// Every try is a request of its own: none is taken for a replay.
    @discardableResult
    func retryPolicy(_ retryPolicy: RetryPolicy) -> Self

    /// Called once when every server has accepted.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once when the change ended in another way.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (DeviceInformationChangeError) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async throws(DeviceInformationChangeError)
}
