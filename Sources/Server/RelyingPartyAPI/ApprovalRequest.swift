/// Body of `POST /api/v1/approval`: JSON of at most 16 KiB.
package struct ApprovalRequest: Sendable, Hashable {
    /// `channel`.
    package enum Channel: String, Sendable, Hashable, CaseIterable {
        case app, push
    }

    /// `username` or `userId`; nil only with ``Channel/app``: whoever scans the code.
    package let subject: RelyingPartySubject?
    package let channel: Channel
    /// `authenticatorId`; nil: the one registered last; `*` with ``Channel/app`` reads as nil.
    package let authenticatorID: String?
    /// `message`: 1 to 4,096 octets of UTF-8, shown and signed; required where `prompt` is true. Markup is refused.
    package let message: String?
    /// `notificationMessage`: at most 64 characters.
    package let notification: String?
    /// `session`: names the session of the caller, at most 256 characters.
    package let session: String?

    /// Describes a request.
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
