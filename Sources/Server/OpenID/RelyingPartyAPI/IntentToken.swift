import Octets
package import ServerCore
import StrictJSON
import UAF

/// Token for one operation of one user, for an application that must not have the access key: a JWS with `typ`
/// `signet-intent+jwt`, good for five minutes and once, and until the logins of the user end.
package struct IntentToken: Sendable, Hashable {
    private static let type = "signet-intent+jwt"
    private static let lifetime: Duration = .seconds(300)

    /// Operation that the token begins.
    package enum Operation: String, Sendable, Hashable {
        case enroll, approve

        /// Scope that the access key needs, for the token and again when it is used.
        package var scope: AccessKeyScope { self == .enroll ? .enroll : .approve }
    }

    /// Access key that has asked for the token, and begins the operation.
    package let key: AccessKeyName
    package let request: IntentRequest
    /// Names the token, so that it is taken once.
    let id: String
    private let issuedAt: Timestamp

    init(_ request: IntentRequest, of key: AccessKeyName, id: String, at now: Timestamp) {
        self.key = key
        self.request = request
        self.id = id
        issuedAt = now
    }

    func signed(by statements: SignedStatements) throws(ServerError) -> String {
        var members: JSONObject = [
            "key": .string(key.text), "op": .string(request.operation.rawValue), "jti": .string(id),
            "at": .integer(issuedAt.milliseconds),
            "channels": .array(request.channels.map(\.rawValue).sorted().map { .string($0) }),
        ]
        switch request.subject {
        case .name(let name): members.append("username", .string(name.text))
        case .id(let id): members.append("userId", .string(id.text))
        }
        return try statements.sign(members, type: Self.type, lifetime: Self.lifetime)
    }

    /// Reads what ``signed(by:)`` wrote; nil for anything else, and once it has expired.
    init?(_ text: String, verifiedBy statements: SignedStatements) {
        guard let members = statements.members(of: text, type: Self.type),
            let key = (try? members.string("key")).flatMap({ AccessKeyName($0) }), let id = try? members.string("jti"),
            let operation = (try? members.string("op")).flatMap(Operation.init(rawValue:)),
            let subject = try? RelyingPartyBody.subject(members), let issuedAt: Int64 = try? members.integer("at"),
            let channels = try? members["channels"]?.asArray().compactMap({ try? $0.asString() })
        else { return nil }
        let request = IntentRequest(
            subject: subject, operation: operation,
            channels: Set(channels.compactMap(RelyingPartyChannel.init(rawValue:))))
        self.init(request, of: key, id: id, at: Timestamp(milliseconds: issuedAt))
    }

    /// Throws ``RelyingPartyRefusal/intentEnded`` where the logins of the user have ended since it was issued.
    func requireHolds(for user: User) throws(RelyingPartyRefusal) {
        guard user.notBefore <= issuedAt else { throw .intentEnded }
    }

    /// The user of a request that comes with the token: the one of the token, whom the request may name again.
    func subject(_ named: RelyingPartySubject?, by channel: RelyingPartyChannel) throws(RelyingPartyRefusal)
        -> RelyingPartySubject
    {
        guard named == nil || named == request.subject, request.channels.contains(channel) else {
            throw .outsideIntent
        }
        return request.subject
    }
}

/// Body of `POST /api/v1/intent`.
package struct IntentRequest: Sendable, Hashable {
    /// `username` or `userId`, exactly one.
    package let subject: RelyingPartySubject
    /// `operation`.
    package let operation: IntentToken.Operation
    /// `channels` that are offered here; without the member all of them.
    package let channels: Set<RelyingPartyChannel>

    init(subject: RelyingPartySubject, operation: IntentToken.Operation, channels: Set<RelyingPartyChannel>) {
        self.subject = subject
        self.operation = operation
        self.channels = channels
    }

    /// Reads a body; throws ``RelyingPartyRefusal/malformed(member:)`` and ``RelyingPartyRefusal/channelNotOffered``.
    package init(body: [UInt8]) throws(RelyingPartyRefusal) {
        self = try RelyingPartyBody.read(body) { members throws(JSONTypeError) -> IntentRequest in
            guard let subject = try RelyingPartyBody.subject(members) else {
                throw JSONTypeError(path: ["username"], .missing)
            }
            guard let operation = IntentToken.Operation(rawValue: try members.string("operation")) else {
                throw JSONTypeError(path: ["operation"], .outOfRange)
            }
            return IntentRequest(subject: subject, operation: operation, channels: try Self.channels(members))
        }
        if channels.isEmpty { throw .channelNotOffered }
    }

    private static func channels(_ members: JSONObject) throws(JSONTypeError) -> Set<RelyingPartyChannel> {
        let listed = try members.optional("channels") { value throws(JSONTypeError) in
            try value.asArray().map { value throws(JSONTypeError) in try RelyingPartyChannel(value) }
        }
        return Set(listed ?? RelyingPartyChannel.allCases).filter(\.isOffered)
    }
}
