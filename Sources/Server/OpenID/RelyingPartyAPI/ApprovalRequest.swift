import ServerCore
import StrictJSON

/// Body of `POST /api/v1/approval`: JSON of at most 16 KiB.
package struct ApprovalRequest: Sendable, Hashable {
    /// `channel`.
    package enum Channel: String, Sendable, Hashable, CaseIterable {
        case app, push
    }

    /// `username` or `userId`; nil only with ``Channel/app``, where the user who scans the code answers.
    package let subject: RelyingPartySubject?
    package let channel: Channel
    /// `authenticatorId`, with ``Channel/push``; nil: the one registered last.
    ///
    /// With ``Channel/app`` only `*` is taken, which reads as nil: any phone of the user may scan the code.
    package let authenticatorID: String?
    /// `message`: 1 to 4,096 octets of UTF-8, shown and signed; required where `prompt` is true.
    ///
    /// Markup is refused.
    package let message: String?
    /// `notificationMessage`: at most 64 characters.
    package let notification: String?
    /// `session`: names the session of the caller, at most 256 characters.
    package let session: String?

    package init(
        subject: RelyingPartySubject?, channel: Channel, authenticatorID: String? = nil, message: String? = nil,
        notification: String? = nil, session: String? = nil
    ) {
        self.subject = subject
        self.channel = channel
        self.authenticatorID = authenticatorID
        self.message = message
        self.notification = notification
        self.session = session
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
        if channel == .app {
            guard id.utf8.elementsEqual("*".utf8) else { throw JSONTypeError(path: ["authenticatorId"], .outOfRange) }
            return nil
        }
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
