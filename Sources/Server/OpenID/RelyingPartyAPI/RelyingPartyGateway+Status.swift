import BackendAPI
package import ServerCore
import StrictJSON
import UAF
import UAFService

extension RelyingPartyGateway {
    package func status(
        _ statusToken: String, atMost wait: Duration
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        guard let token = StatusToken(statusToken, verifiedBy: statements), case .accessKey(let key) = token.initiator
        else { throw .server(.unauthorized) }
        let status = try await settled(token.ceremony, of: key, atMost: wait)
        let id = status.outcome.userID ?? token.user?.text
        let user = try await user(id.flatMap { UserName($0) })
        let state = Self.state(status.status)
        let members: JSONObject = [
            "transactionId": .string(token.ceremony.text), "status": .string(state),
            "reported": status.outcome.isReported ? .bool(true) : nil,
            "userId": id.map { .string($0) },
            "username": user.map { .string($0.name.text) }, "token": status.result.map { .string($0) },
            "receipt": status.receipt.map { .string($0) }, "createdAt": .string(token.createdAt.iso8601),
            "lastUpdatedAt": .string(status.timestamp),
        ]
        return RelyingPartyAnswer(body: JSONWriter.write(.object(members)))
    }

    package func introspect(
        _ token: String, for key: AccessKeyName
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        let members = try await state(of: token, for: key) ?? ["active": .bool(false)]
        return RelyingPartyAnswer(body: JSONWriter.write(.object(members)))
    }

    /// State of a token that belongs to the access key; nil for every other.
    private func state(of token: String, for key: AccessKeyName) async throws(RelyingPartyRefusal) -> JSONObject? {
        if let named = authorization.accessKeys.name(of: token) {
            guard named == key, let rights = authorization.accessKeys.rights(of: key) else { return nil }
            let scopes = rights.scopes.map(\.rawValue).sorted().joined(separator: " ")
            return [
                "active": .bool(true), "client_id": .string(key.text), "token_type": .string("access_key"),
                "scope": .string(scopes),
            ]
        }
        if let statement = StatusToken(token, verifiedBy: statements) {
            guard statement.initiator == .accessKey(key) else { return nil }
            let status = try await settled(statement.ceremony, of: key, atMost: .zero)
            return [
                "active": .bool(true), "token_type": .string("status"),
                "transactionId": .string(statement.ceremony.text), "operation": .string(statement.operation.rawValue),
                "status": .string(Self.state(status.status)), "sub": statement.user.map { .string($0.text) },
                "iat": .integer(statement.createdAt.seconds),
            ]
        }
        if let intent = intent(token) {
            guard intent.key == key else { return nil }
            return [
                "active": .bool(true), "token_type": .string("intent"),
                "operation": .string(intent.request.operation.rawValue),
            ]
        }
        // What has become of it since is not in the token; once the operation is forgotten, neither does it hold.
        guard let result = statements.members(of: token, type: SignedStatements.resultType, audience: key.text),
            let ceremony = (try? result.string("sid")).flatMap({ CeremonyID(text: $0) }),
            try await settled(ceremony, of: key, atMost: .zero).result != nil
        else { return nil }
        return [
            "active": .bool(true), "token_type": .string("result"), "sub": result["sub"],
            "username": result["preferred_username"], "transactionId": result["sid"], "operation": result["op"],
            "exp": result["exp"], "iat": result["iat"], "aud": result["aud"], "iss": result["iss"],
        ]
    }

    /// The state once it is final, or after `wait`.
    private func settled(
        _ ceremony: CeremonyID, of key: AccessKeyName, atMost wait: Duration
    ) async throws(RelyingPartyRefusal) -> SessionStatus {
        let end = clock.now() + wait
        var request = StatusRequest(sessionID: ceremony.text)
        while true {
            let asked = request
            let status = try await served { () async throws(ServerError) in
                try await statuses.status(asked, authorization: .accessKey(key))
            }
            let left = (end - clock.now()).wholeMilliseconds
            guard !status.status.isFinal, left > 0, status.status != asked.knownStatus else { return status }
            request = StatusRequest(sessionID: ceremony.text, after: status.status, wait: left)
        }
    }

    /// The user of an external ID; nil once removed.
    private func user(_ id: UserName?) async throws(RelyingPartyRefusal) -> User? {
        guard let name = id else { return nil }
        return try await served { () async throws(ServerError) in try await storage.users.user(named: name) }
    }

    private static func state(_ status: SessionStatus.Status) -> String {
        switch status {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .unknown: "unknown"
        default: "pending"
        }
    }
}
