import BackendAPI
import ServerCore
import StrictJSON
import UAF
import UAFService

/// Phones of users: dispatch targets with the keys on them.
extension AdministrationService {
    func listDevices(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let page = try await listedUsers(call)
        var (devices, elsewhere): ([JSONValue], [JSONValue]) = ([], [])
        for user in page.users {
            let (targets, credentials) = try await phones(of: user)
            devices += targets.map { target in
                var members = AdministeredDevice(target).members(with: credentials.filter { $0.targetID == target.id })
                members.append("userName", .string(user.name.text))
                return .object(members)
            }
            elsewhere += credentials.filter { $0.targetID == nil }.map { $0.listed(of: user) }
        }
        return AdministrationAnswer([
            "devices": .array(devices), "credentialsElsewhere": .array(elsewhere),
            "next": page.next.map { .string($0.text) },
        ])
    }

    /// Phones and keys of a user.
    func phones(
        of user: User
    ) async throws(AdministrationRefusal) -> (targets: [DispatchTarget], credentials: [RegisteredCredential]) {
        try await passing { () async throws(ServerError) in
            (try await services.storage.targets.targets(of: user.id), try await services.users.credentials(of: user))
        }
    }

    func device(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let id = try call.deviceID()
        let found = try await read { snapshot throws(ServerTransactionFailure) -> AdministrationAnswer? in
            guard let owned = try snapshot.target(id), call.reaches(owned.user) else { return nil }
            return AdministeredDevice(owned.target).answer(with: try snapshot.credentials(on: id))
        }
        guard let found else { throw .unknown }
        return found
    }

    /// Renames a phone, or with `"push": null` takes its push destination away.
    func changeDevice(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let change = try call.deviceChange()
        let time = services.ports.clock.now()
        return try await onDevice(call) { owned, transaction throws(ServerTransactionFailure) in
            let kind: AuditEvent.Kind = change.name == nil ? .pushUnsetByAdministrator : .targetRenamedByAdministrator
            let event = AuditEvent(kind, at: time).about(owned.user).about(owned.target)
            if let error = try ChangeTarget(in: transaction).change(owned.target.id, change, event: event) {
                return .failure(
                    error == .targetNameInUse ? .rule("another phone of the user has the name") : .init(error))
            }
            guard let changed = try transaction.target(owned.target.id) else { return .failure(.unknown) }
            return .success(
                AdministeredDevice(changed.target).answer(with: try transaction.credentials(on: owned.target.id)))
        }
    }

    func removeDevice(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let time = services.ports.clock.now()
        return try await onDevice(call) { owned, transaction throws(ServerTransactionFailure) in
            let event = AuditEvent(.deviceRemoved, at: time).about(owned.user).about(owned.target)
            let removed = try ChangeTarget(in: transaction).removeDevice(owned.target.id, event: event)
            return removed == nil ? .failure(.unknown) : .success(.done)
        }
    }

    /// Changes the phone of the path, which is held with its user and is the one that the administrator has seen.
    private func onDevice(
        _ call: AdministrationCall,
        _ body:
            @escaping @Sendable (OwnedTarget, any ServerTransaction) throws(ServerTransactionFailure) ->
            Result<AdministrationAnswer, AdministrationRefusal>
    ) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let id = try call.deviceID()
        return try await transaction { transaction throws(ServerTransactionFailure) in
            guard let owned = try transaction.target(id), call.reaches(owned.user) else { return .failure(.unknown) }
            let present = AdministeredDevice(owned.target).version
            guard call.version == present else { return .failure(.changed(present)) }
            return try body(owned, transaction)
        }
    }
}

/// Phone as administrators see it; its version leaves out what each sign-in changes.
private struct AdministeredDevice {
    private let members: JSONObject

    init(_ target: DispatchTarget) {
        members = [
            "id": .string(target.id.text), "user": .string(target.userID.text),
            "externalId": .string(target.externalID.text), "name": .string(target.name.text),
            "deviceId": target.deviceID.map { .string($0.text) },
            "dispatcher": target.dispatcher.map { .string($0.rawValue) },
            "push": .string(Self.push(target)), "createdAt": .string(target.createdAt.iso8601),
        ]
    }

    var version: ObjectVersion { ObjectVersion(of: .object(members)) }

    private static func push(_ target: DispatchTarget) -> String {
        switch target.destination {
        case .token: "on"
        case .disabledByUser: "off"
        case nil: "unset"
        }
    }

    func members(with credentials: [RegisteredCredential]) -> JSONObject {
        var members = members
        members.append("credentials", .array(credentials.map(\.administered)))
        return members
    }

    func answer(with credentials: [RegisteredCredential]) -> AdministrationAnswer {
        AdministrationAnswer(members(with: credentials), version: version)
    }
}

extension RegisteredCredential {
    /// Key in a list, with the names of its user and phone.
    func listed(of user: User, on target: DispatchTarget? = nil) -> JSONValue {
        guard case .object(var members) = administered else { return administered }
        members.append("userName", .string(user.name.text))
        if let target { members.append("deviceName", .string(target.name.text)) }
        return .object(members)
    }
}

extension AdministrationCall {
    fileprivate func deviceID() throws(AdministrationRefusal) -> DispatchTargetID {
        guard let id = object.flatMap({ DispatchTargetID(text: $0) }) else { throw .unknown }
        return id
    }

    fileprivate func deviceChange() throws(AdministrationRefusal) -> TargetChange {
        let change = try read(["name", "push"]) { members throws(JSONTypeError) in
            var change = TargetChange()
            change.name = try members.optional("name") { value throws(JSONTypeError) in
                guard let name = DeviceName(try value.asString()) else { throw JSONTypeError(.outOfRange) }
                return name
            }
            if let push = members["push"] {
                guard push == .null else { throw JSONTypeError(path: ["push"], .invalidForm) }
                change.unsetsDestination = true
            }
            return change
        }
        guard (change.name == nil) == change.unsetsDestination else { throw .malformed([]) }
        return change
    }
}
