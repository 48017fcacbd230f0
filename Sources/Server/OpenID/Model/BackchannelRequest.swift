package import ServerCore

/// Request of a client to have a user sign in on another device (OpenID Connect CIBA Core 1.0, 7).
package struct BackchannelRequest: Sendable, Hashable {
    /// Stage of the request.
    package enum Stage: String, Sendable, Hashable, CaseIterable {
        case pending
        /// Confirmed, and the tokens are not fetched or sent yet.
        case confirmed
        case denied
        case expired
        /// The tokens were handed out, once.
        case delivered
    }

    /// SHA-256 of `auth_req_id`, which has 32 random octets.
    package let id: BackchannelRequestHash
    package let client: ClientID
    package let userID: UserID
    package let ceremony: CeremonyID
    package let scopes: Set<ScopeName>
    /// `acr_values`; empty: any.
    package let assurance: [Assurance]
    /// `client_notification_token` of ping and push, sealed by the server: at most 1,024 octets of `token68` inside.
    package let sealedNotificationToken: [UInt8]?
    package var stage: Stage
    /// Least time between two polls: 5 s, and 5 s more after each `slow_down` (7.3, 11).
    package var interval: Duration
    package var polledAt: Timestamp?
    package let createdAt: Timestamp
    package let expiresAt: Timestamp

    package init(
        id: BackchannelRequestHash, client: ClientID, userID: UserID, ceremony: CeremonyID, scopes: Set<ScopeName>,
        assurance: [Assurance], sealedNotificationToken: [UInt8]?, stage: Stage = .pending,
        interval: Duration = .seconds(5), polledAt: Timestamp? = nil, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.client = client
        self.userID = userID
        self.ceremony = ceremony
        self.scopes = scopes
        self.assurance = assurance
        self.sealedNotificationToken = sealedNotificationToken
        self.stage = stage
        self.interval = interval
        self.polledAt = polledAt
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
