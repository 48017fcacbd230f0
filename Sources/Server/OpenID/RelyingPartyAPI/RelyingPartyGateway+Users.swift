package import BackendAPI
package import ServerCore
import StrictJSON
package import UAF
import UAFService

extension RelyingPartyGateway {
    package func user(
        _ subject: RelyingPartySubject, for key: AccessKeyName
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        let user = try await found(subject, for: key)
        var members = try await members(of: user)
        let attributes = try await served { () async throws(ServerError) in try await users.attributes(of: user) }
        members.append("attributes", .object(attributes.members))
        return RelyingPartyAnswer(body: JSONWriter.write(.object(members)))
    }

    package func change(
        _ id: UserName, _ change: UserChange, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) {
        let user = try await found(.id(id), for: key)
        let event = event(.attributesChanged, user, key, client)
        let fault: UserAttributeFault?
        do throws(ServerError) {
            fault = try await users.change(change.attributes, of: user, event: event)
        } catch .userUnknown {
            throw .userUnknown
        } catch {
            throw .server(error)
        }
        if let fault { throw RelyingPartyRefusal(fault) }
    }

    package func removeUser(
        _ id: UserName, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) {
        let user = try await found(.id(id), for: key)
        let event = event(.userRemoved, user, key, client)
        do throws(ServerError) {
            try await storage.users.remove(user.id, event: event)
        } catch .userUnknown {
            throw .userUnknown
        } catch {
            throw .server(error)
        }
    }

    package func rename(
        _ authenticator: TargetExternalID, to name: DeviceName, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) -> RelyingPartyAnswer {
        if let passkey = try await ownedPasskey(authenticator, for: key) {
            return try await rename(passkey.passkey, of: passkey.user, to: name, key, client)
        }
        let owned = try await owned(authenticator, for: key)
        let record = event(.targetRenamedByAdministrator, owned.user, key, client).about(owned.target)
        var change = TargetChange()
        change.name = name
        let (changed, id) = (change, owned.target.id)
        let refusal = try await served { () async throws(ServerError) in
            try await storage.transaction { transaction throws(ServerTransactionFailure) -> ServerError? in
                try ChangeTarget(in: transaction).change(id, changed, event: record)
            }
        }
        if refusal == .targetUnknown { throw .authenticatorUnknown }
        if let refusal { throw .server(refusal) }
        let member = try await served { () async throws(ServerError) in
            AuthenticatorMember(
                owned.target.renamed(name), credentials: try await storage.credentials.credentials(of: owned.user.id))
        }
        return RelyingPartyAnswer(body: JSONWriter.write(.object(member.members)))
    }

    package func removeAuthenticator(
        _ id: TargetExternalID, for key: AccessKeyName, client: ClientContext
    ) async throws(RelyingPartyRefusal) {
        if let passkey = try await ownedPasskey(id, for: key) {
            return try await remove(passkey.passkey, of: passkey.user, key, client)
        }
        let owned = try await owned(id, for: key)
        let (record, target) = (event(.deviceRemoved, owned.user, key, client), owned.target.id)
        let removed = try await served { () async throws(ServerError) in
            try await storage.transaction { transaction throws(ServerTransactionFailure) -> [CredentialID]? in
                try ChangeTarget(in: transaction).removeDevice(target, event: record)
            }
        }
        guard removed != nil else { throw .authenticatorUnknown }
    }

    // MARK: - Rows

    /// The user of a name or external ID, each by its own kind only, whom the key may know of.
    func found(_ subject: RelyingPartySubject, for key: AccessKeyName) async throws(RelyingPartyRefusal) -> User {
        guard let user = try await known(subject), reach.reaches(user, key) else { throw .userUnknown }
        return user
    }

    private func known(_ subject: RelyingPartySubject) async throws(RelyingPartyRefusal) -> User? {
        let name =
            switch subject {
            case .name(let name), .id(let name): name
            }
        let user = try await served { () async throws(ServerError) in try await storage.users.user(named: name) }
        switch subject {
        case .name: return user?.name == name ? user : nil
        case .id: return user?.externalID == name ? user : nil
        }
    }

    /// The user to enroll, who is made when there is none of the name.
    func userToEnroll(
        _ subject: RelyingPartySubject, for key: AccessKeyName
    ) async throws(RelyingPartyRefusal) -> (user: User, isNew: Bool) {
        if try await known(subject) != nil { return (user: try await found(subject, for: key), isNew: false) }
        guard case .name(let given) = subject else { throw .userUnknown }
        guard let name = UserService.newName(given.text) else { throw .malformed(member: ["username"]) }
        do throws(ServerError) {
            return (user: try await users.add(name: name.text, owner: .accessKey(key)), isNew: true)
        } catch .userExists {
            return (user: try await found(.name(name), for: key), isNew: false)
        } catch .nameAlike {
            throw .server(.policyViolation)
        } catch {
            throw .server(error)
        }
    }

    /// The target of an authenticator of this user; nil when none is named.
    func target(
        _ text: String?, of user: User?, for key: AccessKeyName
    ) async throws(RelyingPartyRefusal) -> DispatchTargetID? {
        guard let text else { return nil }
        guard let id = TargetExternalID(text: text) else { throw .authenticatorUnknown }
        let owned = try await owned(id, for: key)
        guard owned.user.id == user?.id else { throw .authenticatorUnknown }
        return owned.target.id
    }

    private func owned(
        _ id: TargetExternalID, for key: AccessKeyName
    ) async throws(RelyingPartyRefusal) -> OwnedTarget {
        let owned = try await served { () async throws(ServerError) in
            try await storage.read { snapshot throws(ServerTransactionFailure) -> OwnedTarget? in
                try snapshot.target(externalID: id)
            }
        }
        guard let owned, reach.reaches(owned.user, key) else { throw .authenticatorUnknown }
        return owned
    }

    func event(
        _ kind: AuditEvent.Kind, _ user: User, _ key: AccessKeyName, _ client: ClientContext
    ) -> AuditEvent {
        var event = AuditEvent(kind, at: clock.now(), client: client).about(user)
        event.initiator = .accessKey(key)
        return event
    }

    // MARK: - Answers

    func members(of user: User) async throws(RelyingPartyRefusal) -> JSONObject {
        let targets = try await served { () async throws(ServerError) in
            try await storage.targets.targets(of: user.id)
        }
        let credentials = try await served { () async throws(ServerError) in
            try await storage.credentials.credentials(of: user.id)
        }
        let passkeys = try await passkeys(of: user.id)
        let isNew = credentials.isEmpty && passkeys.isEmpty
        let status = user.status == .locked ? "locked" : isNew ? "new" : "active"
        // The last time that the records tell: of the user, or of what was registered.
        let registered = targets.map(\.createdAt) + credentials.map(\.registeredAt) + passkeys.map(\.registeredAt)
        let updatedAt = registered.reduce(max(user.createdAt, user.notBefore)) { max($0, $1) }
        let uses = credentials.compactMap(\.lastSuccessAt) + passkeys.compactMap(\.usedAt)
        return [
            "userId": .string(user.externalID.text), "username": .string(user.name.text), "status": .string(status),
            "createdAt": .string(user.createdAt.iso8601), "updatedAt": .string(updatedAt.iso8601),
            "lastLoginDateSuccess": uses.max().map { .string($0.iso8601) },
            "authenticators": .array(
                targets.map { .object(AuthenticatorMember($0, credentials: credentials).members) }
                    + passkeys.map { .object($0.member) }),
        ]
    }
}

/// Authenticator as a member of an answer: the dispatch target, with the credentials on it.
struct AuthenticatorMember {
    let members: JSONObject

    init(_ target: DispatchTarget, credentials: [RegisteredCredential]) {
        let held = credentials.filter { $0.targetID == target.id }
        let isDisabled = !held.isEmpty && held.allSatisfy { $0.status == .disabled }
        let models = Set(held.map(\.id.aaid))
        let updatedAt = held.map(\.registeredAt).reduce(target.createdAt) { max($0, $1) }
        members = [
            "authenticatorId": .string(target.externalID.text), "name": .string(target.name.text),
            "type": Self.platform(of: models).map { .string($0) }, "authenticatorType": .string("app"),
            "state": .string(isDisabled ? "disabled" : "active"),
            "enrolledAt": .string(target.createdAt.iso8601), "updatedAt": .string(updatedAt.iso8601),
            "uaf": .object([
                "deviceRef": target.deviceID.map { .string($0.text) },
                "userDisabledPushNotification": .bool(target.destination == .disabledByUser),
                "aaids": .array(models.map(\.text).sorted().map { .string($0) }),
            ]),
        ]
    }

    /// Platform that the models of the keys are of; nil without keys, and for models of other makers.
    private static func platform(of models: Set<AAID>) -> String? {
        let platforms = Set(models.map { MetadataStatement.platform(of: $0) })
        return platforms.count == 1 ? platforms.first.flatMap(\.self) : nil
    }
}
