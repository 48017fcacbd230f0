import ServerCore
import StrictJSON
import UAF

/// Reader of the bodies of the API: JSON objects of at most 16 KiB, of which a member that is wrong is named.
enum RelyingPartyBody {
    private static let limits = JSONLimits(byteCount: 16 * 1_024, depth: 8)

    static func read<Value>(
        _ body: [UInt8], _ make: (JSONObject) throws(JSONTypeError) -> Value
    ) throws(RelyingPartyRefusal) -> Value {
        do throws(JSONTypeError) {
            guard let value = try? JSONParser.parse(body, limits: limits) else { throw JSONTypeError(.invalidForm) }
            return try make(try value.asObject())
        } catch {
            throw .malformed(member: error.path)
        }
    }

    /// The user that a body names, by exactly one of two members; nil for neither.
    static func subject(_ members: JSONObject) throws(JSONTypeError) -> RelyingPartySubject? {
        let name = try members.optional("username", userName)
        let id = try members.optional("userId", userName)
        switch (name, id) {
        case (let name?, nil): return .name(name)
        case (nil, let id?): return .id(id)
        case (nil, nil): return nil
        case (_?, _?): throw JSONTypeError(path: ["userId"], .outOfRange)
        }
    }

    private static func userName(_ value: JSONValue) throws(JSONTypeError) -> UserName {
        guard let name = UserName(try value.asString()),
            name.text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw JSONTypeError(.invalidForm) }
        return name
    }

    /// A text of the member with 1 to `count` characters.
    static func text(
        _ name: String, atMost count: Int, in members: JSONObject
    ) throws(JSONTypeError) -> String? {
        try members.optional(name) { value throws(JSONTypeError) in try value.asString(scalarCount: 1...count) }
    }
}

extension EnrollRequest {
    /// Reads a body; throws ``RelyingPartyRefusal/malformed(member:)``.
    package init(body: [UInt8]) throws(RelyingPartyRefusal) {
        self = try RelyingPartyBody.read(body) { members throws(JSONTypeError) -> EnrollRequest in
            guard let subject = try RelyingPartyBody.subject(members) else {
                throw JSONTypeError(path: ["username"], .missing)
            }
            let channel = try members.optionalString("channel") ?? "app"
            guard ApprovalRequest.Channel(rawValue: channel) == .app else {
                throw JSONTypeError(path: ["channel"], .outOfRange)
            }
            return EnrollRequest(
                subject: subject, policy: try RelyingPartyBody.text("policy", atMost: 64, in: members))
        }
    }
}

extension ApprovalRequest {
    private static let messageLimit = 4_096

    /// Reads a body; throws ``RelyingPartyRefusal/malformed(member:)``.
    package init(body: [UInt8]) throws(RelyingPartyRefusal) {
        self = try RelyingPartyBody.read(body) { members throws(JSONTypeError) -> ApprovalRequest in
            guard let channel = Channel(rawValue: try members.string("channel")) else {
                throw JSONTypeError(path: ["channel"], .outOfRange)
            }
            let subject = try RelyingPartyBody.subject(members)
            guard subject != nil || channel == .app else { throw JSONTypeError(path: ["username"], .missing) }
            return ApprovalRequest(
                subject: subject, channel: channel, authenticatorID: try Self.authenticator(members, channel),
                message: try Self.message(members),
                notification: try RelyingPartyBody.text("notificationMessage", atMost: 64, in: members),
                session: try RelyingPartyBody.text("session", atMost: 256, in: members))
        }
    }

    private static func authenticator(
        _ members: JSONObject, _ channel: Channel
    ) throws(JSONTypeError) -> String? {
        guard let id = try RelyingPartyBody.text("authenticatorId", atMost: 22, in: members) else { return nil }
        if channel == .app, id.utf8.elementsEqual("*".utf8) { return nil }
        guard TargetExternalID(text: id) != nil else { throw JSONTypeError(path: ["authenticatorId"], .invalidForm) }
        return id
    }

    private static func message(_ members: JSONObject) throws(JSONTypeError) -> String? {
        let isPrompt = try members.optional("prompt") { value throws(JSONTypeError) in try value.asBool() } ?? false
        guard let text = try members.optionalString("message") else {
            if isPrompt { throw JSONTypeError(path: ["message"], .missing) }
            return nil
        }
        guard (1...messageLimit).contains(text.utf8.count), !hasMarkup(text) else {
            throw JSONTypeError(path: ["message"], .invalidForm)
        }
        return text
    }

    /// Whether a phone could take a part of the text for a tag.
    private static func hasMarkup(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return zip(text.utf8, text.utf8.dropFirst()).contains { first, second in
            guard first == UInt8(ascii: "<") else { return false }
            return "/!?".utf8.contains(second) || letters.contains(second | 0x20)
        }
    }
}
