import Octets
package import ServerCore
import StrictJSON
import UAF

/// Access token that came with a request, and the scheme it came by; nothing of it is verified.
package struct PresentedAccessToken: Sendable {
    package enum Scheme: String, Sendable, Hashable {
        /// RFC 6750, 2.1.
        case bearer = "Bearer"
        /// RFC 9449, 7.1.
        case proof = "DPoP"
    }

    let text: String?
    package let scheme: Scheme
    let proof: PresentedKeyProof

    package init(_ text: String?, as scheme: Scheme = .bearer, with proof: PresentedKeyProof) {
        (self.text, self.scheme, self.proof) = (text, scheme, proof)
    }
}

/// Services for the holder of a grant's token: userinfo, introspection, revocation.
///
/// Each use checks the grant again.
package struct TokenIntrospection: Sendable {
    let issuer: String
    let clients: any ClientRegistry
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let wall: any WallClock
    let removalWait: Duration?

    /// Token that holds, with its grant and user.
    private struct Bearer: Sendable {
        let token: GrantToken
        let grant: Grant
        let user: User
    }

    /// The bearer of a token; nil when token, grant, user or what the grant rests on does not hold any more.
    private func bearer(of text: String) async throws(OpenIDRefusal) -> Bearer? {
        let hash = GrantTokenHash(of: text.utf8)
        let (now, wait) = (clock.now(), removalWait)
        return try await transactions.readOrRefusal { snapshot throws(ServerTransactionFailure) -> Bearer? in
            guard let token = try snapshot.grantToken(hash), now < token.expiresAt, token.usedAt == nil,
                let grant = try snapshot.grant(token.grant), let user = try snapshot.user(grant.userID),
                try snapshot.admission(by: grant, of: user, at: now, wait: wait) == .granted
            else { return nil }
            return Bearer(token: token, grant: grant, user: user)
        }
    }

    /// Claims of the holder of an access token (OpenID Connect Core 1.0, 5.3.2), JSON.
    package func userInformation(_ presented: PresentedAccessToken) async throws(OpenIDRefusal) -> [UInt8] {
        guard let text = presented.text, let bearer = try await bearer(of: text), bearer.token.kind == .access,
            let client = try await clients.client(named: bearer.grant.client.text)
        else { throw OpenIDRefusal(.invalidToken, cause: "the access token is missing, unknown, expired or revoked") }
        try await requireKey(of: bearer.token, presented)
        let (user, scopes) = (bearer.user, client.permitted(bearer.token.scopes))
        guard scopes.contains(.openID) else { throw OpenIDRefusal(.insufficientScope, client: client.id) }
        let person = try await transactions.readOrRefusal { snapshot throws(ServerTransactionFailure) in
            try UserClaims.read(of: user, for: scopes, in: snapshot)
        }
        let subject = JSONObject.Member("sub", .string(user.externalID.text))
        return JSONWriter.write(.object(JSONObject(distinct: [subject] + person.members(for: scopes))))
    }

    /// Refuses a token without the proof of the key that it is bound to (RFC 9449, 7.1).
    private func requireKey(
        of token: GrantToken, _ presented: PresentedAccessToken
    ) async throws(OpenIDRefusal) {
        switch (token.key, presented.scheme) {
        case (nil, .bearer): return
        case (nil, .proof):
            throw OpenIDRefusal(.invalidToken, cause: "the access token is bound to no key: send it as Bearer")
        case (_, .bearer):
            throw OpenIDRefusal(
                .invalidToken, cause: "the access token is bound to a key: send it as DPoP, with a proof")
        case (let key?, .proof):
            guard let proof = try KeyProof(presented.proof, accessToken: presented.text, at: wall.now()) else {
                throw OpenIDRefusal(.invalidDPoPProof, cause: "the header field DPoP is missing")
            }
            guard proof.key == key else {
                throw OpenIDRefusal(.invalidToken, cause: "the access token is bound to another key")
            }
            let now = clock.now()
            let isFirst = try await transactions.transactionOrRefusal { transaction throws(ServerTransactionFailure) in
                try proof.isFirst(in: transaction, at: now)
            }
            guard isFirst else { throw OpenIDRefusal(.invalidDPoPProof, cause: KeyProof.isRepeated) }
        }
    }

    /// State of a token (RFC 7662, 2.2), JSON; `{"active":false}` for tokens of other clients.
    package func introspect(_ fields: OpenIDFields, by client: RegisteredClient) async throws(OpenIDRefusal) -> [UInt8]
    {
        guard let text = fields["token"] else { throw OpenIDRefusal(.invalidRequest, field: "token") }
        guard let bearer = try await bearer(of: text), bearer.grant.client == client.id else {
            return JSONWriter.write(.object(["active": .bool(false)]))
        }
        let scopes = client.permitted(bearer.token.scopes)
        // Others compare with the time of day.
        let (now, timeOfDay) = (clock.now(), wall.now())
        return JSONWriter.write(
            .object([
                "active": .bool(true),
                "scope": .string(ScopeName.text(scopes)),
                "client_id": .string(client.id.text),
                "username": scopes.contains(.profile) ? .string(bearer.user.name.text) : nil,
                "sub": .string(bearer.user.externalID.text),
                "token_type": .string(bearer.token.introspectedType),
                "cnf": bearer.token.key.map { .object(["jkt": .string(Base64URL.encode($0.octets))]) },
                "exp": .integer((timeOfDay + (bearer.token.expiresAt - now)).seconds),
                "iat": .integer((timeOfDay - (now - bearer.token.createdAt)).seconds),
                "aud": .string(client.id.text),
                "iss": .string(issuer),
            ]))
    }

    /// Ends the grant of a token of this client (RFC 7009, 2.1); other clients' tokens are left alone.
    package func revoke(
        _ fields: OpenIDFields, by client: RegisteredClient, _ context: ClientContext
    ) async throws(OpenIDRefusal) {
        guard let text = fields["token"] else { throw OpenIDRefusal(.invalidRequest, field: "token") }
        let hash = GrantTokenHash(of: text.utf8)
        let now = clock.now()
        try await transactions.transactionOrRefusal { transaction throws(ServerTransactionFailure) -> Void in
            guard let holder = try transaction.holder(ofToken: hash), try transaction.lockUser(holder) != nil,
                let token = try transaction.grantToken(hash), let grant = try transaction.grant(token.grant),
                grant.client == client.id
            else { return }
            try transaction.end(grant, by: client.id, at: now, from: context)
        }
    }
}

extension GrantToken {
    /// `token_type` of its introspection (RFC 7662, 2.2; RFC 9449, 6.2).
    fileprivate var introspectedType: String {
        switch kind {
        case .access: key == nil ? "Bearer" : "DPoP"
        case .refresh: "refresh_token"
        }
    }
}
