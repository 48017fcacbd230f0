package import OpenID
package import ServerCore

/// Rows of the OpenID Provider in memory.
package struct MemoryTransactionAuthorizations: Sendable {
    package var clients: [RegisteredClient] = []
    package var clientStates: [ClientID: (isDisabled: Bool, notBefore: Timestamp)] = [:]
    package var assertions: [ClientAssertionHash: Timestamp] = [:]
    package var pushed:
        [PushedRequestHash: (parameters: AuthorizationParameters, createdAt: Timestamp, expiresAt: Timestamp)] = [:]
    package var pushingNetworks: [PushedRequestHash: String] = [:]
    package var sessions: [AuthorizationSession] = []
    package var codes: [(code: AuthorizationCode, isUsed: Bool)] = []
    package var grants: [Grant] = []
    package var endedGrants: [GrantID] = []
    package var tokens: [GrantToken] = []
    package var browsers: [BrowserSession] = []
}

extension MemoryTransaction {
    package func clients() -> [(client: RegisteredClient, isDisabled: Bool)] {
        state.authorizations.clients.sorted { $0.id.text < $1.id.text }
            .map { ($0, state.authorizations.clientStates[$0.id]?.isDisabled == true) }
    }

    package func lockClients() {}

    package func disabledClients() -> [ClientID] {
        state.authorizations.clientStates.filter(\.value.isDisabled).map(\.key).sorted { $0.text < $1.text }
    }

    /// Whether what a client was given at a time was ended with the client since.
    func hasEnded(_ client: ClientID, since time: Timestamp) -> Bool {
        state.authorizations.clientStates[client].map { $0.isDisabled || $0.notBefore > time } ?? false
    }

    package func insert(_ client: RegisteredClient, at now: Timestamp) -> Bool {
        guard index(of: client.id) == nil else { return false }
        state.authorizations.clients.append(client)
        return true
    }

    package func update(_ client: RegisteredClient) -> Bool {
        guard let index = index(of: client.id) else { return false }
        state.authorizations.clients[index] = client
        return true
    }

    package func setDisabled(_ isDisabled: Bool, _ client: ClientID, at now: Timestamp) {
        let known = state.authorizations.clientStates[client]?.notBefore ?? now
        state.authorizations.clientStates[client] = (isDisabled, max(known, now + .milliseconds(1)))
    }

    package func removeClient(_ id: ClientID, at now: Timestamp) -> Bool {
        guard let index = index(of: id) else { return false }
        state.authorizations.clients.remove(at: index)
        let grants = state.authorizations.grants.filter { $0.client == id }.map(\.id)
        state.authorizations.grants.removeAll { $0.client == id }
        state.authorizations.tokens.removeAll { grants.contains($0.grant) }
        setDisabled(false, id, at: now)
        return true
    }

    private func index(of client: ClientID) -> Int? {
        state.authorizations.clients.firstIndex { $0.id == client }
    }

    package func remember(_ assertion: ClientAssertionHash, until end: Timestamp) -> Bool {
        state.authorizations.assertions.updateValue(end, forKey: assertion) == nil
    }

    package func insert(
        _ request: AuthorizationParameters, pushedAs hash: PushedRequestHash, at now: Timestamp, until end: Timestamp,
        from network: String?
    ) {
        state.authorizations.pushed[hash] = (request, now, end)
        state.authorizations.pushingNetworks[hash] = network
    }

    package func takePushedRequest(
        _ hash: PushedRequestHash
    ) -> (parameters: AuthorizationParameters, expiresAt: Timestamp)? {
        guard let found = state.authorizations.pushed[hash],
            !hasEnded(found.parameters.client, since: found.createdAt)
        else { return nil }
        state.authorizations.pushed[hash] = nil
        return (found.parameters, found.expiresAt)
    }
}

extension MemoryTransaction {
    package func authorizationSession(_ id: AuthorizationSessionID) -> AuthorizationSession? {
        state.authorizations.sessions.first { $0.id == id && !hasEnded($0.parameters.client, since: $0.createdAt) }
    }

    package func openRequests(_ kind: OpenRequest.Kind, after now: Timestamp) -> [OpenRequest] {
        let rows =
            switch kind {
            case .page:
                state.authorizations.sessions.filter { !isConfirmed($0) }.map { session in
                    OpenRequest(id: session.id.octets, network: session.network, expiresAt: session.expiresAt)
                }
            case .pushed:
                state.authorizations.pushed.compactMap { hash, request in
                    state.authorizations.pushingNetworks[hash].map { network in
                        OpenRequest(id: hash.octets, network: network, expiresAt: request.expiresAt)
                    }
                }
            }
        return rows.filter { $0.expiresAt > now }
    }

    package func remove(_ requests: [OpenRequest], _ kind: OpenRequest.Kind) {
        let ids = Set(requests.map(\.id))
        switch kind {
        case .page:
            let kept = state.authorizations.sessions
            state.authorizations.sessions = kept.filter { !ids.contains($0.id.octets) || isConfirmed($0) }
        case .pushed:
            state.authorizations.pushed = state.authorizations.pushed.filter { !ids.contains($0.key.octets) }
        }
    }

    package func insert(_ session: AuthorizationSession) { state.authorizations.sessions.append(session) }

    package func advance(_ session: AuthorizationSession, from known: AuthorizationSession) -> Bool {
        let kept = state.authorizations.sessions
        guard let index = kept.firstIndex(where: { $0.id == session.id }),
            (kept[index].stage, kept[index].round) == (known.stage, known.round)
        else { return false }
        state.authorizations.sessions[index].stage = session.stage
        state.authorizations.sessions[index].round = session.round
        return true
    }

    package func insert(_ code: AuthorizationCode) { state.authorizations.codes.append((code, false)) }

    package func useCode(
        _ hash: AuthorizationCodeHash, at now: Timestamp
    ) -> (code: AuthorizationCode, isReplay: Bool)? {
        guard let index = state.authorizations.codes.firstIndex(where: { $0.code.hash == hash }) else { return nil }
        let found = state.authorizations.codes[index]
        state.authorizations.codes[index].isUsed = true
        return (found.code, found.isUsed)
    }
}

extension MemoryTransaction {
    /// Whether a phone has confirmed the ceremony of a session.
    private func isConfirmed(_ session: AuthorizationSession) -> Bool {
        state.operations.contains { $0.id == session.stage.ceremony && $0.progress.status == .succeeded }
    }

    private func isAlive(_ grant: Grant) -> Bool {
        !state.authorizations.endedGrants.contains(grant.id) && !hasEnded(grant.client, since: grant.createdAt)
    }

    package func grant(_ id: GrantID) -> Grant? {
        state.authorizations.grants.first { $0.id == id && isAlive($0) }
    }

    package func grants(of user: UserID) -> [Grant] {
        state.authorizations.grants.filter { $0.userID == user && isAlive($0) }
    }

    package func grants(in session: BrowserSessionID) -> [Grant] {
        state.authorizations.grants.filter { $0.session == session && isAlive($0) }
    }

    package func grantToken(_ hash: GrantTokenHash) -> GrantToken? {
        state.authorizations.tokens.first { $0.hash == hash && grant($0.grant) != nil }
    }

    package func holder(ofCode hash: AuthorizationCodeHash) -> UserID? {
        let code = state.authorizations.codes.first { $0.code.hash == hash }?.code
        return state.authorizations.grants.first { $0.id == code?.grant }?.userID
    }

    package func holder(ofToken hash: GrantTokenHash) -> UserID? {
        let token = state.authorizations.tokens.first { $0.hash == hash }
        return state.authorizations.grants.first { $0.id == token?.grant }?.userID
    }

    package func insert(_ grant: Grant) { state.authorizations.grants.append(grant) }

    package func prolong(_ grant: GrantID, until end: Timestamp) {
        for index in state.authorizations.grants.indices where state.authorizations.grants[index].id == grant {
            let known = state.authorizations.grants[index].expiresAt
            state.authorizations.grants[index].expiresAt = max(known, end)
        }
    }

    package func endGrants(_ ids: [GrantID], at now: Timestamp) -> Int {
        let alive = ids.filter { grant($0) != nil }
        state.authorizations.endedGrants += alive
        return alive.count
    }

    package func insert(_ token: GrantToken) { state.authorizations.tokens.append(token) }

    package func useRefreshToken(_ hash: GrantTokenHash, at now: Timestamp) -> Bool {
        let kept = state.authorizations.tokens
        guard let index = kept.firstIndex(where: { $0.hash == hash && $0.kind == .refresh && $0.usedAt == nil }) else {
            return false
        }
        let old = kept[index]
        state.authorizations.tokens[index] = GrantToken(
            hash: old.hash, grant: old.grant, kind: old.kind, scopes: old.scopes, createdAt: old.createdAt,
            expiresAt: old.expiresAt, usedAt: now)
        return true
    }

    package func browserSession(_ cookie: ProviderCookieHash) -> BrowserSession? {
        state.authorizations.browsers.first { $0.cookie == cookie }
    }

    package func browserSessions(of user: UserID) -> [BrowserSession] {
        state.authorizations.browsers.filter { $0.userID == user }.sorted { $0.expiresAt < $1.expiresAt }
    }

    package func insert(_ session: BrowserSession) { state.authorizations.browsers.append(session) }

    package func removeBrowserSession(_ id: BrowserSessionID) -> Bool {
        let count = state.authorizations.browsers.count
        state.authorizations.browsers.removeAll { $0.id == id }
        return state.authorizations.browsers.count < count
    }

    package func removeAuthorizationRows(expiredBefore time: Timestamp, limit: Int) -> Int {
        let before = state.authorizations.sessions.count + state.authorizations.codes.count
        state.authorizations.sessions.removeAll { $0.expiresAt < time }
        state.authorizations.codes.removeAll { $0.code.expiresAt < time }
        state.authorizations.assertions = state.authorizations.assertions.filter { $0.value >= time }
        state.authorizations.pushed = state.authorizations.pushed.filter { $0.value.expiresAt >= time }
        return before - state.authorizations.sessions.count - state.authorizations.codes.count
    }
}
