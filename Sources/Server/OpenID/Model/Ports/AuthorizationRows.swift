package import ServerCore

/// Rows of the OpenID Provider: clients, authorization sessions, codes, grants, tokens, sessions of browsers.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// A method that returns whether it has written compares in the statement that writes, so of two processes one
/// succeeds.
package protocol AuthorizationRows: AuthorizationSnapshot {
    /// Lets no other transaction that asks for this change a client, of the configuration or not, until this one ends.
    func lockClients() throws(ServerTransactionFailure)

    /// Adds a client; false when there is one of this name.
    func insert(_ client: RegisteredClient, at now: Timestamp) throws(ServerTransactionFailure) -> Bool

    /// Replaces a client; false when there is none of this name.
    func update(_ client: RegisteredClient) throws(ServerTransactionFailure) -> Bool

    /// Disables a client, of the database or not, or enables it again; what it was given until `now` holds no more.
    func setDisabled(_ isDisabled: Bool, _ client: ClientID, at now: Timestamp) throws(ServerTransactionFailure)

    /// Removes a client of the database with what it was given until `now`; false when there is none.
    func removeClient(_ id: ClientID, at now: Timestamp) throws(ServerTransactionFailure) -> Bool

    /// Remembers a JWT by which a client has proved itself; false when the same one is remembered.
    func remember(
        _ assertion: ClientAssertionHash, until end: Timestamp
    ) throws(ServerTransactionFailure) -> Bool

    /// Keeps a pushed request; `network` is the one of a stranger, nil for a client that has proved itself.
    func insert(
        _ request: AuthorizationParameters, pushedAs hash: PushedRequestHash, at now: Timestamp, until end: Timestamp,
        from network: String?
    ) throws(ServerTransactionFailure)

    /// Takes a pushed request out, once; nil when there is none.
    func takePushedRequest(
        _ hash: PushedRequestHash
    ) throws(ServerTransactionFailure) -> (parameters: AuthorizationParameters, expiresAt: Timestamp)?

    func insert(_ session: AuthorizationSession) throws(ServerTransactionFailure)

    /// Removes rows that strangers have left, but for sessions that are confirmed meanwhile.
    func remove(_ requests: [OpenRequest], _ kind: OpenRequest.Kind) throws(ServerTransactionFailure)

    /// Writes stage and round of a session; false when it has others than `known`.
    func advance(
        _ session: AuthorizationSession, from known: AuthorizationSession
    ) throws(ServerTransactionFailure) -> Bool

    func insert(_ code: AuthorizationCode) throws(ServerTransactionFailure)

    /// Uses a code, once: the code, and whether it was used before; nil when there is none.
    func useCode(
        _ hash: AuthorizationCodeHash, at now: Timestamp
    ) throws(ServerTransactionFailure) -> (code: AuthorizationCode, isReplay: Bool)?

    func insert(_ grant: Grant) throws(ServerTransactionFailure)

    /// Keeps a grant until `end` at least.
    func prolong(_ grant: GrantID, until end: Timestamp) throws(ServerTransactionFailure)

    /// Ends grants with all their codes and tokens, and returns how many had not ended.
    func endGrants(_ ids: [GrantID], at now: Timestamp) throws(ServerTransactionFailure) -> Int

    func insert(_ token: GrantToken) throws(ServerTransactionFailure)

    /// Marks a refresh token as used; false when it was used before or is gone.
    func useRefreshToken(_ hash: GrantTokenHash, at now: Timestamp) throws(ServerTransactionFailure) -> Bool

    func insert(_ session: BrowserSession) throws(ServerTransactionFailure)

    /// Removes a session; its grants stay until they are ended. False when there is none.
    func removeBrowserSession(_ id: BrowserSessionID) throws(ServerTransactionFailure) -> Bool
}
