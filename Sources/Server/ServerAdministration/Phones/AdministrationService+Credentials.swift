import ServerCore
import StrictJSON
import UAF
import UAFService

/// Keys of users.
extension AdministrationService {
    func listCredentials(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let page = try await listedUsers(call)
        var listed: [JSONValue] = []
        for user in page.users {
            let (targets, credentials) = try await phones(of: user)
            listed += credentials.map { credential in
                credential.listed(of: user, on: targets.first { $0.id == credential.targetID })
            }
        }
        return AdministrationAnswer(["credentials": .array(listed), "next": page.next.map { .string($0.text) }])
    }

    func credential(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try await ownedCredential(call).credential.answer
    }

    func changeCredential(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let status = try call.read(["status"]) { members throws(JSONTypeError) in
            guard let status = RegisteredCredential.Status(rawValue: try members.string("status")) else {
                throw JSONTypeError(path: ["status"], .invalidForm)
            }
            return status
        }
        let time = services.ports.clock.now()
        return try await onCredential(call) { known, user, transaction throws(ServerTransactionFailure) in
            _ = try transaction.setStatus(status, of: [known.id], ownedBy: user, recordedAt: time)
            let changed = try transaction.credential(registeredAs: known.registrationID)
            return changed.map { .success($0.answer) } ?? .failure(.unknown)
        }
    }

    func removeCredential(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let event = AuditEvent(.credentialRemoved, at: services.ports.clock.now())
        return try await onCredential(call) { known, user, transaction throws(ServerTransactionFailure) in
            _ = try RemoveCredential(in: transaction).remove([known.id], of: user.id) { event.about(user).about($0) }
            return .success(.done)
        }
    }

    /// Changes the key of the path, which is held behind its user and is the one that the administrator has seen.
    private func onCredential(
        _ call: AdministrationCall,
        _ body:
            @escaping @Sendable (RegisteredCredential, User, any ServerTransaction) throws(ServerTransactionFailure) ->
            Result<AdministrationAnswer, AdministrationRefusal>
    ) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let seen = try await ownedCredential(call)
        return try await transaction { transaction throws(ServerTransactionFailure) in
            guard let user = try transaction.lockUser(seen.user.id),
                let known = try transaction.credential(registeredAs: seen.credential.registrationID)
            else { return .failure(.unknown) }
            guard call.version == known.version else { return .failure(.changed(known.version)) }
            return try body(known, user, transaction)
        }
    }

    private func ownedCredential(
        _ call: AdministrationCall
    ) async throws(AdministrationRefusal) -> (credential: RegisteredCredential, user: User) {
        guard let id = call.object.flatMap({ RegistrationID(text: $0) }) else { throw .unknown }
        let found = try await read {
            snapshot throws(ServerTransactionFailure) -> (credential: RegisteredCredential, user: User)? in
            guard let credential = try snapshot.credential(registeredAs: id),
                let user = try snapshot.user(credential.userID), call.reaches(user)
            else { return nil }
            return (credential, user)
        }
        guard let found else { throw .unknown }
        return found
    }
}

extension RegisteredCredential {
    /// Key as administrators see it.
    var administered: JSONValue {
        .object([
            "id": .string(registrationID.text), "aaid": .string(id.aaid.text), "keyId": .string(id.keyID.base64URL),
            "status": .string(status.rawValue), "createdAt": .string(registeredAt.iso8601),
            "lastUsedAt": lastSuccessAt.map { .string($0.iso8601) }, "protection": .string(protection.rawValue),
            "signCounter": .integer(counters.signatures), "device": targetID.map { .string($0.text) },
        ])
    }
}

extension RegisteredCredential {
    private var members: JSONObject { if case .object(let members) = administered { members } else { [:] } }

    /// Version that leaves out what each sign-in changes.
    fileprivate var version: ObjectVersion {
        let lasting = members.members.filter { !["lastUsedAt", "signCounter"].contains($0.name) }
        return ObjectVersion(of: .object(JSONObject(distinct: lasting)))
    }

    fileprivate var answer: AdministrationAnswer { AdministrationAnswer(members, version: version) }
}
