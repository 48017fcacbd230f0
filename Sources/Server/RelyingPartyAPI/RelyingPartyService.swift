package import BackendAPI
package import ServerCore
package import UAF

/// Relying-party API as its routes see it: `/api/v1` of docs/openapi.yaml, for systems with an access key.
///
/// Every method throws ``RelyingPartyRefusal``; the routes have checked scope and limit of the key before.
package protocol RelyingPartyService: Sendable {
    /// The answer to a request that creates something: made once by `answer`, and repeated to the same request.
    ///
    /// Throws ``RelyingPartyRefusal/keyReused`` and ``RelyingPartyRefusal/requestInProgress``. Refusals are not kept.
    func once(
        _ call: IdempotentCall,
        _ answer: @Sendable () async throws(RelyingPartyRefusal) -> RelyingPartyAnswer
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// Begins the registration of a phone; makes the user when there is none of the name.
    func enroll(
        _ request: EnrollRequest, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// Has something confirmed.
    func approve(
        _ request: ApprovalRequest, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// State of a transaction by its status token, which is authorization enough; after at most `wait`.
    func status(_ statusToken: String, atMost wait: Duration) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// State of an access key, status token or transaction token (RFC 7662, 2.2).
    func introspect(_ token: String, for key: AccessKeyName) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// The user of a name, or of an ID.
    func user(_ subject: RelyingPartySubject) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer

    /// Removes a user with everything.
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

/// User that a request names.
package enum RelyingPartySubject: Sendable, Hashable {
    /// `username`: 1 to 128 characters.
    case name(UserName)
    /// `userId`: the external ID.
    case id(UserName)
}

/// Answer of the API.
package struct RelyingPartyAnswer: Sendable {
    /// 200 or 201.
    package let status: Int
    /// JSON of at most 64 KiB; it may hold a redeem token and is never logged.
    package let body: [UInt8]

    /// Describes an answer.
    package init(status: Int = 200, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Refusal of the API; answered with the error body of the backend.
package enum RelyingPartyRefusal: Error, Sendable, Hashable {
    /// The member at this path is missing or wrong (400 `malformedRequest`).
    case malformed(member: [String])
    /// No user (404 `userNotFound`).
    case userUnknown
    /// No authenticator (404 `dispatchTargetNotFound`).
    case authenticatorUnknown
    /// No authenticator of the user can do it (422 `noSuitableAuthenticator`).
    case noSuitableAuthenticator
    /// The idempotency key came with another request before (422 `idempotencyKeyReused`).
    case keyReused
    /// The first request with this idempotency key is still being answered (409 `requestInProgress`).
    case requestInProgress
    /// A service refuses; the routes answer as everywhere.
    case server(ServerError)
}
