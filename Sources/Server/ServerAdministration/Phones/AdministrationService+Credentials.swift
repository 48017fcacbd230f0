import ServerCore
import StrictJSON
import UAF
import UAFService

/// Keys of users.
extension AdministrationService {
    func listCredentials(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let user = try await queriedUser(call)
        let credentials = try await passing { () async throws(ServerError) in
            try await services.users.credentials(of: user)
        }
        return AdministrationAnswer(["credentials": .array(credentials.map(\.administered))])
    }

    /// Switches a key off, or on again; a second time it changes nothing, so that no version is asked for.
    func changeCredential(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let status = try call.read(["status"]) { members throws(JSONTypeError) in
            guard let status = RegisteredCredential.Status(rawValue: try members.string("status")) else {
                throw JSONTypeError(path: ["status"], .invalidForm)
            }
            return status
        }
        let owned = try await credential(call)
        _ = try await passing { () async throws(ServerError) in
            try await services.users.setStatus(status, of: [owned.id], ofUserNamed: owned.user.name.text)
        }
        return .done
    }

    func removeCredential(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let owned = try await credential(call)
        _ = try await passing { () async throws(ServerError) in
            try await services.users.remove([owned.id], ofUserNamed: owned.user.name.text)
        }
        return .done
    }

    private func credential(
        _ call: AdministrationCall
    ) async throws(AdministrationRefusal) -> (id: CredentialID, user: User) {
        guard let id = call.object.flatMap({ RegistrationID(text: $0) }) else { throw .unknown }
        let found = try await read { snapshot throws(ServerTransactionFailure) -> (id: CredentialID, user: User)? in
            guard let credential = try snapshot.credential(registeredAs: id),
                let user = try snapshot.user(credential.userID), call.reaches(user)
            else { return nil }
            return (credential.id, user)
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
