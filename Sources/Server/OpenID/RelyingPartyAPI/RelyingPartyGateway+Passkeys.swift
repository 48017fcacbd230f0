import BackendAPI
import ServerCore
import StrictJSON
import UAF

/// Passkeys as authenticators of the relying-party API; each has the identifier of its registration.
extension RelyingPartyGateway {
    func passkeys(of user: UserID) async throws(RelyingPartyRefusal) -> [Passkey] {
        try await served { () async throws(ServerError) in
            try await transactions.read { snapshot throws(ServerTransactionFailure) in try snapshot.passkeys(of: user) }
        }
    }

    /// The passkey of this name and its user, whom the key may know of; nil when there is none.
    func ownedPasskey(
        _ id: TargetExternalID, for key: AccessKeyName
    ) async throws(RelyingPartyRefusal) -> (passkey: Passkey, user: User)? {
        guard let id = RegistrationID(id.octets) else { return nil }
        let found = try await served { () async throws(ServerError) in
            try await transactions.read {
                snapshot throws(ServerTransactionFailure) -> (passkey: Passkey, user: User)? in
                guard let passkey = try snapshot.passkey(registeredAs: id),
                    let user = try snapshot.user(passkey.userID)
                else { return nil }
                return (passkey, user)
            }
        }
        guard let found, reach.reaches(found.user, key) else { return nil }
        return found
    }

    func rename(
        _ passkey: Passkey, of user: User, to name: DeviceName, _ key: AccessKeyName, _ client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        try await change(passkey, .passkeyRenamed, user, key, client) { transaction throws(ServerTransactionFailure) in
            try transaction.rename(passkey.id, of: user.id, to: name)
        }
        var renamed = passkey
        renamed.name = name
        return RelyingPartyAnswer(body: JSONWriter.write(.object(renamed.member)))
    }

    /// Removes a passkey; what it has let in ends with it.
    func remove(
        _ passkey: Passkey, of user: User, _ key: AccessKeyName, _ client: ClientContext
    ) async throws(RelyingPartyRefusal) {
        let now = clock.now()
        try await change(passkey, .passkeyRemoved, user, key, client) { transaction throws(ServerTransactionFailure) in
            try transaction.removePasskey(passkey.id, of: user.id, at: now)
        }
    }

    private func change(
        _ passkey: Passkey, _ kind: AuditEvent.Kind, _ user: User, _ key: AccessKeyName, _ client: ClientContext,
        _ body: @escaping OpenIDTransactionBody<Bool>
    ) async throws(RelyingPartyRefusal) {
        var event = event(kind, user, key, client)
        event.passkey = passkey.id
        let record = event
        let isDone = try await served { () async throws(ServerError) in
            try await transactions.transaction { transaction throws(ServerTransactionFailure) in
                guard try transaction.lockUser(user.id) != nil, try body(transaction) else { return false }
                try transaction.append(record)
                return true
            }
        }
        guard isDone else { throw .authenticatorUnknown }
    }
}

extension Passkey {
    /// Passkey as a member of an answer.
    var member: JSONObject {
        [
            "authenticatorId": .string(id.text), "name": .string(name.text), "authenticatorType": .string("passkey"),
            "state": .string("active"), "enrolledAt": .string(registeredAt.iso8601),
            "updatedAt": .string(registeredAt.iso8601),
            "passkey": .object(facts),
        ]
    }
}
