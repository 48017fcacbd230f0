import Crypto
import Octets
package import ServerCore
import StrictJSON
package import UAF

/// Ends of logins at clients, with what the clients are told, in the transaction of what ends them.
extension OpenIDTransaction {
    /// Ends the grants of a user and the sessions of browsers that do not hold any more, and tells their clients.
    ///
    /// For the storage, after each statement that ends logins. A client that has another grant in the session is told nothing.
    package func endLoginsWithoutProof(of id: UserID, at now: Timestamp) throws(ServerTransactionFailure) {
        guard let user = try lockUser(id) else { return }
        let (grants, sessions) = (try grants(of: id), try browserSessions(of: id))
        var unproved: Set<RequestAuthorization.Evidence> = []
        for evidence in Set(grants.map(\.evidence) + sessions.map(\.evidence)) where try !holds(evidence, of: user) {
            unproved.insert(evidence)
        }
        let kept = Set(grants.filter { !unproved.contains($0.evidence) }.map(\.login))
        let ended = grants.filter { unproved.contains($0.evidence) }
        try end(ended, of: user, telling: ended.filter { !kept.contains($0.login) }, at: now)
        for session in sessions where unproved.contains(session.evidence) {
            _ = try removeBrowserSession(session.id)
        }
    }

    /// Ends grants of a user, and tells the clients of `told`: one record and one message for each client and session.
    func end(
        _ grants: [Grant], of user: User, telling told: [Grant], at now: Timestamp,
        from context: ClientContext = ClientContext()
    ) throws(ServerTransactionFailure) {
        _ = try endGrants(grants.map(\.id), at: now)
        for grant in grants.ofEachLogin {
            try append(
                AuditEvent(.clientGrantEnded, of: grant, by: grant.client, at: now, from: context).about(user))
        }
        for login in told.ofEachLogin.map(\.login) {
            try insert(OutgoingMessage(endOf: login, of: user.externalID, at: now))
        }
    }
}

/// Login of a user at a client: a session of a browser, or what CIBA has granted.
package struct ClientLogin: Sendable, Hashable {
    package let client: ClientID
    package let session: BrowserSessionID?

    package init(client: ClientID, session: BrowserSessionID?) {
        self.client = client
        self.session = session
    }
}

extension Grant {
    fileprivate var login: ClientLogin { ClientLogin(client: client, session: session) }
}

extension [Grant] {
    /// The first grant of each login.
    fileprivate var ofEachLogin: [Grant] {
        var seen: Set<ClientLogin> = []
        return filter { seen.insert($0.login).inserted }
    }
}

extension OutgoingMessage {
    /// Content of a logout token (OpenID Connect Back-Channel Logout 1.0, 2.4); the same of one login and moment.
    ///
    /// Whether the client wants it is known when it is sent (``LogoutMessages``).
    package init(endOf login: ClientLogin, of subject: UserName, at now: Timestamp) {
        let content = JSONWriter.write(
            .object(["sub": .string(subject.text), "sid": login.session.map { .string($0.text) }]))
        let name = SHA256.hash(data: Array("\(login.client.text) \(now.milliseconds) ".utf8) + content)
        self.init(
            id: OutgoingMessageID(hash: name), kind: .logout, destination: login.client.text, content: content,
            createdAt: now)
    }
}
