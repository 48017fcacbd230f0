package import ServerCore

/// Rows of the OpenID Provider: clients, authorization sessions, codes, grants, tokens, sessions of browsers; for reading.
///
/// Part of ``ServerSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// Whether something has expired is judged by the rules, never by the storage. What was given out before all keys
/// were replaced, or to a client that is disabled or was since, is not there.
package protocol AuthorizationSnapshot {
    /// Clients of the database in the order of their names, disabled ones with `true`.
    func clients() throws(ServerTransactionFailure) -> [(client: RegisteredClient, isDisabled: Bool)]

    /// Clients that are disabled, of the database or not.
    func disabledClients() throws(ServerTransactionFailure) -> [ClientID]

    /// The session of this name, expired or not.
    func authorizationSession(_ id: AuthorizationSessionID) throws(ServerTransactionFailure) -> AuthorizationSession?

    /// Rows that strangers have left and that expire after `now`, but for sessions that are confirmed.
    func openRequests(
        _ kind: OpenRequest.Kind, after now: Timestamp
    ) throws(ServerTransactionFailure) -> [OpenRequest]

    /// The grant; nil when it has ended.
    func grant(_ id: GrantID) throws(ServerTransactionFailure) -> Grant?

    /// Grants of a user that have not ended, oldest first.
    func grants(of user: UserID) throws(ServerTransactionFailure) -> [Grant]

    /// Grants of a session of a browser that have not ended, oldest first.
    func grants(in session: BrowserSessionID) throws(ServerTransactionFailure) -> [Grant]

    /// The token, expired or used or not; nil when there is none, or its grant has ended.
    func grantToken(_ hash: GrantTokenHash) throws(ServerTransactionFailure) -> GrantToken?

    /// User of the grant of a code, ended or not; nil when there is none.
    ///
    /// Nothing is held: a grant has one user for ever. A transaction that changes grants or sessions locks their user
    /// first, then the rest, so that no two wait for each other.
    func holder(ofCode hash: AuthorizationCodeHash) throws(ServerTransactionFailure) -> UserID?

    /// User of the grant of a token, ended or not; nil when there is none. Nothing is held.
    func holder(ofToken hash: GrantTokenHash) throws(ServerTransactionFailure) -> UserID?

    /// The session of a cookie, expired or not.
    func browserSession(_ cookie: ProviderCookieHash) throws(ServerTransactionFailure) -> BrowserSession?

    /// Sessions of a user, oldest first.
    func browserSessions(of user: UserID) throws(ServerTransactionFailure) -> [BrowserSession]
}
