package import BackendAPI
package import ServerCore
package import UAF

/// Relying-party API as its routes see it: `/api/v1` of docs/web/openapi.yaml, for systems with an access key.
///
/// Every method throws ``RelyingPartyRefusal``; the routes have checked scope and limit of the key before.
package protocol RelyingPartyService: Sendable {
    /// The answer to a request that creates something: made once by `answer`, and repeated to the same request, unless it came
    /// with an intent token.
    ///
    /// Throws ``RelyingPartyRefusal/keyReused``, ``RelyingPartyRefusal/intentEnded`` and
    /// ``RelyingPartyRefusal/requestInProgress``. Refusals are not kept.
    func once(
        _ call: IdempotentCall,
        _ answer: @Sendable () async throws(RelyingPartyRefusal) -> RelyingPartyAnswer
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// Begins the registration of a phone; makes the user when there is none of the name.
    func enroll(
        _ request: EnrollRequest, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// Whether users have a way back without a phone.
    var hasRecovery: Bool { get }

    /// Begins the wait of a user without a phone; the answer has the code that takes it up.
    func recover(
        _ subject: RelyingPartySubject, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    func approve(
        _ request: ApprovalRequest, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// Gives a token for one operation of one user.
    func intend(_ request: IntentRequest, for key: AccessKeyName) throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// The intent that a bearer token states; nil for anything else.
    func intent(_ token: String) -> IntentToken?

    /// State of a transaction by its status token, which is authorization enough; after at most `wait`.
    func status(_ statusToken: String, atMost wait: Duration) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// State of an access key, status token or transaction token (RFC 7662, 2.2).
    func introspect(_ token: String, for key: AccessKeyName) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// Changes attributes of a user; a key that may only write learns nothing of the others.
    func change(
        _ id: UserName, _ change: UserChange, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal)

    func user(
        _ subject: RelyingPartySubject, for key: AccessKeyName
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    func removeUser(
        _ id: UserName, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal)

    /// Renames an authenticator: the dispatch target with the credentials on it.
    func rename(
        _ authenticator: TargetExternalID, to name: DeviceName, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// Removes an authenticator with its credentials, and ends the logins that rest on it.
    func removeAuthenticator(
        _ id: TargetExternalID, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal)
}
