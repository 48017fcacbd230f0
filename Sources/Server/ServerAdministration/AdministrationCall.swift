package import BackendAPI
package import ServerCore
package import StrictJSON
import UAF

/// One request of an administrator, whose sender is known.
package struct AdministrationCall: Sendable {
    package let operation: AdministrationOperation
    package let act: AdministrativeAct
    /// Object that the path names.
    package var object: String?
    package var query: [String: String] = [:]
    package var body: [UInt8] = []
    /// Version that the administrator has seen.
    package var version: ObjectVersion?
    /// Access key that reaches the users only that it has added (`relying-party-api.own-users`); nil: all users.
    package var reach: AccessKeyName?
    /// Users whom the call does not reach.
    var untouchable: Set<UserName> = []

    /// A call in the strongest of the sender's roles that suffices; throws ``AdministrationRefusal/forbidden`` without one.
    ///
    /// There is no other way to make a call, so each has a role that its operation allows.
    package init(
        _ operation: AdministrationOperation, by origin: AdministrativeAct.Origin, in roles: Set<AdministrationRole>,
        because reason: String?, client: ClientContext
    ) throws(AdministrationRefusal) {
        let suffices = { role in roles.contains(role) && operation.roles.contains(role) }
        guard let role = AdministrationRole.allCases.last(where: suffices) else { throw .forbidden }
        self.operation = operation
        act = AdministrativeAct(origin, as: role, because: reason, client: client)
    }
}

/// Answer to a request of an administrator.
package struct AdministrationAnswer: Sendable {
    package let status: Int
    /// Body as JSON, or as lines of it; nil for an answer without one.
    package let body: [UInt8]?
    /// Version of the object that the body shows.
    package let version: ObjectVersion?

    package init(_ body: JSONObject, status: Int = 200, version: ObjectVersion? = nil) {
        (self.status, self.version) = (status, version)
        self.body = JSONWriter.write(.object(body), escapesMarkup: true)
    }

    init(lines: [String]) {
        (status, version) = (200, nil)
        body = lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    }

    private init() { (status, body, version) = (204, nil, nil) }

    package static let done = AdministrationAnswer()
}

/// Reason why a request of an administrator is not done; then nothing is changed.
package enum AdministrationRefusal: Error, Sendable, Hashable {
    /// The role does not allow it.
    case forbidden
    /// The request does not say why it is made.
    case reasonMissing
    /// The request does not say which version it changes.
    case versionMissing
    /// The object is another one by now.
    case changed(ObjectVersion)
    /// There is one of this name.
    case taken
    /// There is no such object, or the sender does not reach it.
    case unknown
    /// Path of the member or parameter that is missing or wrong.
    case malformed([String])
    /// Member that breaks a rule, and the rule in words that follow its name.
    case unfit(String, String)
    /// A rule that the request breaks, in words.
    case rule(String)
    /// Nothing was dispatched, and why in words.
    case undispatched(DispatchResult, String)
    case server(ServerError)

    init(_ error: ServerError) {
        switch error {
        case .userUnknown, .targetUnknown, .credentialUnknown: self = .unknown
        default: self = .server(error)
        }
    }
}

extension AdministrationCall {
    private static let limits = JSONLimits(byteCount: 64 * 1_024, depth: 8)
    private static let pageSizes = 1...1_000

    /// Whether the sender may know of a user.
    func reaches(_ user: User) -> Bool {
        !untouchable.contains(user.name) && reach.map { user.owner == .accessKey($0) } ?? true
    }

    /// Reads the body, which has these members only.
    func read<Value>(
        _ names: Set<String>, _ make: (JSONObject) throws(JSONTypeError) -> Value
    ) throws(AdministrationRefusal) -> Value {
        do throws(JSONTypeError) {
            guard let value = try? JSONParser.parse(body, limits: Self.limits) else {
                throw JSONTypeError(.invalidForm)
            }
            let members = try value.asObject()
            guard members.members.allSatisfy({ names.contains($0.name) }) else { throw JSONTypeError(.invalidForm) }
            return try make(members)
        } catch {
            throw .malformed(error.path)
        }
    }

    /// Refuses parameters that the operation does not know.
    func requireQuery(of names: Set<String>) throws(AdministrationRefusal) {
        guard let unknown = query.keys.sorted().first(where: { !names.contains($0) }) else { return }
        throw .malformed([unknown])
    }

    /// Number of objects of a page.
    func limit(
        _ standard: Int = 100, among sizes: ClosedRange<Int> = pageSizes
    ) throws(AdministrationRefusal) -> Int {
        guard let text = query["limit"] else { return standard }
        guard let limit = Int(text), sizes.contains(limit) else { throw .malformed(["limit"]) }
        return limit
    }
}
