import ServerCore
import StrictJSON

/// Body of `POST /api/v1/approval`: JSON of at most 16 KiB.
package struct ApprovalRequest: Sendable, Hashable {
    /// `username` or `userId`; nil only with ``RelyingPartyChannel/app``, where the user who scans the code answers.
    package let subject: RelyingPartySubject?
    /// `channel`; without the member a push.
    package let channel: RelyingPartyChannel
    /// `authenticatorId`, with ``RelyingPartyChannel/push``; nil: the one registered last.
    ///
    /// With ``RelyingPartyChannel/app`` only `*` is taken, which reads as nil: any phone of the user may scan the code.
    package let authenticatorID: String?
    /// `message` as it is shown and signed, plain text; required where `prompt` is true.
    package let message: String?
    /// `notificationMessage`: at most 64 characters.
    package let notification: String?
    /// `session`: names the session of the caller, at most 256 characters.
    package let session: String?
    /// The intent token that the request came with.
    let intent: IntentToken?

    package init(
        subject: RelyingPartySubject?, channel: RelyingPartyChannel, authenticatorID: String? = nil,
        message: String? = nil, notification: String? = nil, session: String? = nil, intent: IntentToken? = nil
    ) {
        self.subject = subject
        self.channel = channel
        self.authenticatorID = authenticatorID
        self.message = message
        self.notification = notification
        self.session = session
        self.intent = intent
    }
}

extension ApprovalRequest {
    /// Reads a body that comes with an access key, or with an intent token for one user.
    ///
    /// Throws ``RelyingPartyRefusal/malformed(member:)``, ``RelyingPartyRefusal/channelNotOffered`` and
    /// ``RelyingPartyRefusal/outsideIntent``.
    package init(body: [UInt8], intent: IntentToken? = nil) throws(RelyingPartyRefusal) {
        let read = try RelyingPartyBody.read(body) { members throws(JSONTypeError) -> ApprovalRequest in
            let channel = try members.optional("channel", RelyingPartyChannel.init) ?? .push
            let subject = try RelyingPartyBody.subject(members)
            guard subject != nil || channel != .push || intent != nil else {
                throw JSONTypeError(path: ["username"], .missing)
            }
            return ApprovalRequest(
                subject: subject, channel: channel, authenticatorID: try Self.authenticator(members, channel),
                message: channel.isOffered ? try RelyingPartyMessage.text(in: members) : nil,
                notification: try RelyingPartyBody.text("notificationMessage", atMost: 64, in: members),
                session: try RelyingPartyBody.text("session", atMost: 256, in: members))
        }
        guard read.channel.isOffered else { throw .channelNotOffered }
        self.init(
            subject: try intent?.subject(read.subject, by: read.channel) ?? read.subject, channel: read.channel,
            authenticatorID: read.authenticatorID, message: read.message, notification: read.notification,
            session: read.session, intent: intent)
    }

    private static func authenticator(
        _ members: JSONObject, _ channel: RelyingPartyChannel
    ) throws(JSONTypeError) -> String? {
        guard channel.isOffered, let id = try RelyingPartyBody.text("authenticatorId", atMost: 22, in: members) else {
            return nil
        }
        if channel == .app {
            guard id.utf8.elementsEqual("*".utf8) else { throw JSONTypeError(path: ["authenticatorId"], .outOfRange) }
            return nil
        }
        guard TargetExternalID(text: id) != nil else { throw JSONTypeError(path: ["authenticatorId"], .invalidForm) }
        return id
    }
}
