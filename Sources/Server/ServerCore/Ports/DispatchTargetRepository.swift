package import BackendAPI
package import UAF

/// The dispatch targets.
package protocol DispatchTargetRepository: Sendable {
    /// The target with this name and its user.
    func target(_ id: DispatchTargetID) async throws(ServerError) -> OwnedTarget?

    /// All targets of a user, oldest first.
    func targets(of user: UserID) async throws(ServerError) -> [DispatchTarget]

    /// Adds a target of the user of a grant.
    ///
    /// Throws ``ServerError/unauthorized`` when the grant does not hold at the moment of writing,
    /// ``ServerError/targetNameInUse`` and, when the user has `limit` targets already, ``ServerError/tooManyTargets``.
    func add(
        _ target: DispatchTarget, by grant: RequestAuthorization.Grant, limit: Int, event: AuditEvent
    ) async throws(ServerError)

    /// Changes a target; throws ``ServerError/targetUnknown`` or ``ServerError/targetNameInUse``.
    func change(_ id: DispatchTargetID, _ change: TargetChange, event: AuditEvent) async throws(ServerError)

    /// Forgets a push destination that the push service does not know any more, unless the device has a new one.
    func unsetPush(
        _ destination: PushDestination, of id: DispatchTargetID, event: AuditEvent
    ) async throws(ServerError)

    /// Removes a target of the user of a grant and calls off what waits for it.
    ///
    /// Throws ``ServerError/unauthorized`` when the grant does not hold at the moment of writing, and
    /// ``ServerError/targetUnknown``, also for another user's target.
    func remove(
        _ id: DispatchTargetID, by grant: RequestAuthorization.Grant, event: AuditEvent
    ) async throws(ServerError)

    /// Removes a device from its account: the target, its credentials, what waits for it, and all logins of the user.
    ///
    /// Returns the credentials; throws ``ServerError/targetUnknown``.
    func removeDevice(_ id: DispatchTargetID, event: AuditEvent) async throws(ServerError) -> [CredentialID]

    /// Does what a device asks for, and remembers the request, in one transaction.
    ///
    /// A request that came before changes nothing, and one whose target is gone nothing but the audit. `event` is the
    /// record of the whole, unless it only reads; each credential and target removed has one of its own.
    func perform(
        _ effect: DeviceEffect, by request: SignedRequest, event: AuditEvent
    ) async throws(ServerError) -> DeviceResult

    /// Forgets some `limit` requests that would not be accepted any more, and returns how many.
    func purgeRequests(before time: Timestamp, limit: Int) async throws(ServerError) -> Int
}
