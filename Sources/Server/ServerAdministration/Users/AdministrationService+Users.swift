import Octets
import ServerCore
import StrictJSON
import UAF
import UAFService

/// Accounts and their attributes.
extension AdministrationService {
    func listUsers(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: Set(AdministrationCall.searches.keys).union(["after", "limit"]))
        let limit = try call.limit()
        guard let search = try call.search() else {
            let after = try call.name("after")
            let page = try await passing { () async throws(ServerError) in
                try await services.users.page(after: after, limit: limit)
            }
            return Self.list(page.users.filter(call.reaches), next: page.next?.text)
        }
        let place = try call.place(in: search)
        let page = try await passing { () async throws(ServerError) in
            try await services.storage.users.users(found: search, after: place, limit: limit)
        }
        return Self.list(page.users.filter(call.reaches), next: page.next?.text)
    }

    private static func list(_ users: [User], next: String?) -> AdministrationAnswer {
        AdministrationAnswer([
            "users": .array(users.map { .object(AdministeredUser.members($0)) }), "next": next.map { .string($0) },
        ])
    }

    func addUser(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let new = try NewUser(call)
        let user = try await passing { () async throws(ServerError) in
            let user = try await services.users.add(
                name: new.name, externalID: new.externalID, password: new.password?.reveal(),
                owner: call.reach.map { .accessKey($0) }, mayBeAlike: new.mayBeAlike)
            if !new.changes.isEmpty { _ = try await services.users.change(new.changes, of: user) }
            return user
        }
        let hasLogin = new.password.map { _ in services.passwordLogin != nil }
        return AdministeredUser(user: user, attributes: new.attributes)
            .answer(status: 201, and: ["passwordLogin": hasLogin.map { .bool($0) }])
    }

    func user(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let user = try await pathUser(call)
        let attributes = try await read { snapshot throws(ServerTransactionFailure) in
            try snapshot.attributes(of: user.id)?.attributes
        }
        return AdministeredUser(user: user, attributes: attributes ?? UserAttributes()).answer()
    }

    func changeUser(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let change = try UserChange(call)
        let time = services.ports.clock.now()
        return try await onUser(call) { user, transaction throws(ServerTransactionFailure) in
            try change.run(on: user, in: transaction, at: time)
        }.answer()
    }

    func removeUser(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let time = services.ports.clock.now()
        return try await onUser(call) { known, transaction throws(ServerTransactionFailure) in
            // Clients are told while the grants are there.
            try transaction.endLogins(of: known.user.id, at: time)
            try transaction.removeUser(known.user.id, at: time)
            try transaction.append(AuditEvent(.userRemoved, at: time).about(known.user))
            return .success(.done)
        }
    }

    /// Changes the user of the path, who is held and is the one that the administrator has seen.
    private func onUser<Value: Sendable>(
        _ call: AdministrationCall,
        _ body:
            @escaping @Sendable (AdministeredUser, any ServerTransaction) throws(ServerTransactionFailure) ->
            Result<Value, AdministrationRefusal>
    ) async throws(AdministrationRefusal) -> Value {
        let id = try await pathUser(call).id
        return try await transaction { transaction throws(ServerTransactionFailure) in
            guard let user = try transaction.lockUser(id), call.reaches(user) else { return .failure(.unknown) }
            let attributes = try transaction.attributes(of: id)?.attributes ?? UserAttributes()
            let known = AdministeredUser(user: user, attributes: attributes)
            guard call.version == known.version else { return .failure(.changed(known.version)) }
            return try body(known, transaction)
        }
    }
}

/// Account as administrators see it.
struct AdministeredUser: Sendable {
    let user: User
    let attributes: UserAttributes

    static func members(_ user: User) -> JSONObject {
        [
            "id": .string(user.id.text), "name": .string(user.name.text), "externalId": .string(user.externalID.text),
            "status": .string(user.status.rawValue), "createdAt": .string(user.createdAt.iso8601),
            "owner": user.owner.map { .string($0.text) },
        ]
    }

    private var members: JSONObject {
        var members = Self.members(user)
        members.append("attributes", .object(attributes.members))
        return members
    }

    var version: ObjectVersion { ObjectVersion(of: .object(members)) }

    func answer(status: Int = 200, and more: JSONObject = [:]) -> AdministrationAnswer {
        AdministrationAnswer(
            JSONObject(distinct: members.members + more.members), status: status, version: version)
    }
}

/// Body of a new user, whose attributes keep all rules.
private struct NewUser: Sendable {
    let name: String
    let externalID: String?
    let password: Sensitive<String>?
    let mayBeAlike: Bool
    let changes: [UserAttributes.Name: JSONValue]
    let attributes: UserAttributes

    init(_ call: AdministrationCall) throws(AdministrationRefusal) {
        let names: Set = ["name", "externalId", "password", "mayBeAlike", "attributes"]
        (name, externalID, password, mayBeAlike, changes) = try call.read(names) { members throws(JSONTypeError) in
            (
                try members.string("name"), try members.optionalString("externalId"),
                try members.optionalString("password").map { Sensitive($0) },
                try members.optional("mayBeAlike") { value throws(JSONTypeError) in try value.asBool() } ?? false,
                try UserChange.attributes(in: members)
            )
        }
        var trial = UserAttributes()
        do throws(UserAttributeFault) {
            try trial.apply(changes)
        } catch {
            throw .rule(error.words)
        }
        attributes = trial
    }
}

/// Body of a change of a user: `status`, and `attributes` as the relying-party API takes them.
private struct UserChange {
    let status: User.Status?
    let attributes: [UserAttributes.Name: JSONValue]

    /// Groups are rights at web sites: only an operator gives them.
    init(_ call: AdministrationCall) throws(AdministrationRefusal) {
        (status, attributes) = try call.read(["status", "attributes"]) { members throws(JSONTypeError) in
            let status = try members.optional("status") { value throws(JSONTypeError) in
                guard let status = User.Status(rawValue: try value.asString()) else {
                    throw JSONTypeError(.invalidForm)
                }
                return status
            }
            return (status, try Self.attributes(in: members))
        }
        guard attributes[.groups] == nil || call.act.role == .operator else { throw .forbidden }
    }

    static func attributes(in members: JSONObject) throws(JSONTypeError) -> [UserAttributes.Name: JSONValue] {
        let attributes = try members.optional("attributes") { value throws(JSONTypeError) in
            guard let changes = UserAttributes.changes(in: try value.asObject()) else {
                throw JSONTypeError(.invalidForm)
            }
            return changes
        }
        return attributes ?? [:]
    }

    func run(
        on known: AdministeredUser, in transaction: any ServerTransaction, at time: Timestamp
    ) throws(ServerTransactionFailure) -> Result<AdministeredUser, AdministrationRefusal> {
        let user = known.user
        let change = ChangeAttributes(
            attributes, of: user, event: AuditEvent(.attributesChanged, at: time).about(user))
        if case .failure(let fault) = try change.run(in: transaction) { return .failure(.rule(fault.words)) }
        if let status, status != user.status { try transaction.setStatus(status, of: user, recordedAt: time) }
        guard let changed = try transaction.user(user.id) else { return .failure(.unknown) }
        let attributes = try transaction.attributes(of: user.id)?.attributes ?? UserAttributes()
        return .success(AdministeredUser(user: changed, attributes: attributes))
    }
}

extension AdministrationCall {
    /// Parameters that search, with what they search in.
    static let searches: [String: Set<UserSearch.Kind>] = [
        "search": Set(UserSearch.Kind.allCases), "name": [.username, .name], "externalId": [.externalID],
        "given_name": [.givenName], "family_name": [.familyName], "email": [.email], "groups": [.groups],
    ]

    /// The search that a parameter asks for; nil without one.
    fileprivate func search() throws(AdministrationRefusal) -> UserSearch? {
        let parameters = query.keys.filter { Self.searches[$0] != nil }.sorted()
        guard parameters.count <= 1 else { throw .malformed(Array(parameters.suffix(1))) }
        guard let parameter = parameters.first else { return nil }
        guard let search = UserSearch(query[parameter] ?? "", among: Self.searches[parameter] ?? []) else {
            throw .malformed([parameter])
        }
        return search
    }

    /// Place behind which a page begins, as an earlier page has named it.
    fileprivate func place(in search: UserSearch) throws(AdministrationRefusal) -> UserSearch.Place? {
        guard let text = query["after"] else { return nil }
        guard let place = UserSearch.Place(text: text), search.holds(place) else { throw .malformed(["after"]) }
        return place
    }

    fileprivate func name(_ parameter: String) throws(AdministrationRefusal) -> UserName? {
        guard let text = query[parameter] else { return nil }
        guard let name = UserName(text) else { throw .malformed([parameter]) }
        return name
    }
}
