import BackendAPI
import Octets
import OpenID
import ServerCore
import StrictJSON
import UAF
import UAFService

/// Logins of users, operations that wait for their phones, and invitations of new phones.
extension AdministrationService {
    func listSessions(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let user = try await queriedUser(call)
        let (sessions, grants) = try await read { snapshot throws(ServerTransactionFailure) in
            (try snapshot.browserSessions(of: user.id), try snapshot.grants(of: user.id))
        }
        let now = services.ports.clock.now()
        return AdministrationAnswer([
            "sessions": .array(
                sessions.filter { now < $0.expiresAt }.map {
                    .object([
                        "id": .string($0.id.text), "assurance": .string($0.assurance.rawValue),
                        "authenticatedAt": .string($0.authenticatedAt.iso8601),
                        "expiresAt": .string($0.expiresAt.iso8601),
                    ])
                }),
            "grants": .array(
                grants.filter { now < $0.expiresAt }.map {
                    .object([
                        "id": .string($0.id.text), "client": .string($0.client.text),
                        "scopes": .array($0.scopes.map(\.rawValue).sorted().map { .string($0) }),
                        "createdAt": .string($0.createdAt.iso8601), "expiresAt": .string($0.expiresAt.iso8601),
                    ])
                }),
        ])
    }

    /// Ends all logins of a user, those that are not listed too.
    func endSessions(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let user = try await queriedUser(call)
        try await passing { () async throws(ServerError) in
            try await services.users.endSessions(ofUserNamed: user.name.text)
        }
        return .done
    }

    /// Latest events of a user, as their own page of devices shows them.
    func listHistory(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let user = try await queriedUser(call)
        let events = try await read { snapshot throws(ServerTransactionFailure) in try snapshot.history(of: user.id) }
        return AdministrationAnswer([
            "events": .array(
                events.map {
                    .object([
                        "at": .string($0.at.iso8601), "kind": .string($0.kind.rawValue),
                        "client": $0.client.map { .string($0) }, "device": $0.device.map { .string($0) },
                    ])
                })
        ])
    }

    func listOperations(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let user = try await queriedUser(call)
        let now = services.ports.clock.now()
        let operations = try await read { snapshot throws(ServerTransactionFailure) in
            try snapshot.openOperations(of: user.id)
        }
        return AdministrationAnswer([
            "operations": .array(
                operations.filter { now < $0.progress.expiresAt }.map {
                    .object([
                        "id": .string($0.id.text), "kind": .string($0.operation.pathName),
                        "initiator": .string($0.initiator.text), "status": .string($0.progress.status.rawValue),
                        "device": $0.targetID.map { .string($0.text) }, "createdAt": .string($0.createdAt.iso8601),
                        "expiresAt": .string($0.progress.expiresAt.iso8601),
                    ])
                })
        ])
    }

    func cancelOperation(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        guard let id = call.object.flatMap({ CeremonyID(text: $0) }) else { throw .unknown }
        let event = AuditEvent(.operationCancelled, at: services.ports.clock.now())
        let answer = try await transaction {
            transaction throws(ServerTransactionFailure) -> Result<AdministrationAnswer, AdministrationRefusal> in
            guard let operation = try transaction.operation(id), !operation.progress.status.isFinal,
                let user = try operation.userID.flatMap({ id throws(ServerTransactionFailure) in
                    try transaction.user(id)
                }), call.reaches(user)
            else { return .failure(.unknown) }
            try AdvanceOperation(in: transaction).cancel(operation, .superseded, event: event.about(user))
            return .success(.done)
        }
        services.outOfBand.moved(id)
        return answer
    }

    /// Begins the registration of a phone: a link and its picture for the user, with the digits to compare.
    func invite(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let (text, policy) = try call.read(["user", "policy"]) { members throws(JSONTypeError) in
            (try members.string("user"), try members.optionalString("policy"))
        }
        let user = try await user(text, for: call)
        let begun = try await passing { () async throws(ServerError) in
            try await Enrollments(services).begin(user, policy: policy, by: .administrator, client: call.act.client)
        }
        return AdministrationAnswer(
            [
                "operation": .string(begun.id.text), "link": begun.link.map { .string($0.text) },
                "picture": begun.link.map { .string(Base64.encode($0.picture)) },
                "digits": begun.digits.map { .string($0.digits) },
                "linking": begun.digits.map { .string($0.mode.rawValue) },
                "expiresAt": .string(begun.expiresAt.iso8601),
            ], status: 201)
    }
}
