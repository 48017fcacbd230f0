import BackendAPI
import OpenID
import ServerCore
import StrictJSON
import UAF
import UAFService

/// Passkeys of users.
extension AdministrationService {
    func listPasskeys(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let page = try await listedUsers(call)
        let listed = try await read { snapshot throws(ServerTransactionFailure) in
            var listed: [JSONValue] = []
            for user in page.users {
                for passkey in try snapshot.passkeys(of: user.id) {
                    var members = passkey.administered
                    members.append("userName", .string(user.name.text))
                    listed.append(.object(members))
                }
            }
            return listed
        }
        return AdministrationAnswer(["passkeys": .array(listed), "next": page.next.map { .string($0.text) }])
    }

    func passkey(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let passkey = try await ownedPasskey(call).passkey
        return AdministrationAnswer(passkey.administered, version: passkey.version)
    }

    func removePasskey(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let (seen, owner) = try await ownedPasskey(call)
        let time = services.ports.clock.now()
        return try await transaction { transaction throws(ServerTransactionFailure) in
            guard let user = try transaction.lockUser(owner.id),
                let known = try transaction.passkey(registeredAs: seen.id)
            else { return .failure(.unknown) }
            guard call.version == known.version else { return .failure(.changed(known.version)) }
            _ = try transaction.removePasskey(known.id, of: user.id, at: time)
            // As of a key that an administrator removes, all logins end.
            try transaction.endLogins(of: user.id, at: time)
            var event = AuditEvent(.passkeyRemovedByAdministrator, at: time).about(user)
            event.passkey = known.id
            try transaction.append(event)
            return .success(.done)
        }
    }

    private func ownedPasskey(
        _ call: AdministrationCall
    ) async throws(AdministrationRefusal) -> (passkey: Passkey, user: User) {
        guard let id = call.object.flatMap({ RegistrationID(text: $0) }) else { throw .unknown }
        let found = try await read { snapshot throws(ServerTransactionFailure) -> (passkey: Passkey, user: User)? in
            guard let passkey = try snapshot.passkey(registeredAs: id),
                let user = try snapshot.user(passkey.userID), call.reaches(user)
            else { return nil }
            return (passkey, user)
        }
        guard let found else { throw .unknown }
        return found
    }
}

extension Passkey {
    private var lasting: JSONObject {
        let members: JSONObject = [
            "id": .string(id.text), "user": .string(userID.text), "name": .string(name.text),
            "createdAt": .string(registeredAt.iso8601),
        ]
        return JSONObject(distinct: members.members + facts.members)
    }

    /// Version that leaves out what each sign-in changes.
    fileprivate var version: ObjectVersion { ObjectVersion(of: .object(lasting)) }

    /// Passkey as administrators see it.
    fileprivate var administered: JSONObject {
        var members = lasting
        members.append("lastUsedAt", usedAt.map { .string($0.iso8601) })
        members.append("signCounter", .integer(Int64(signCounter)))
        return members
    }
}
