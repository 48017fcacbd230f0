import StrictJSON

/// Body of `POST /api/v1/users/enroll`: JSON of at most 16 KiB.
package struct EnrollRequest: Sendable, Hashable {
    /// `username` or `userId`, exactly one.
    package let subject: RelyingPartySubject
    /// `policy`: the name of a policy; nil: the default one.
    package let policy: String?
    /// The intent token that the request came with.
    let intent: IntentToken?

    package init(subject: RelyingPartySubject, policy: String? = nil, intent: IntentToken? = nil) {
        self.subject = subject
        self.policy = policy
        self.intent = intent
    }
}

extension EnrollRequest {
    /// Reads a body that comes with an access key, or with an intent token for one user.
    ///
    /// Throws ``RelyingPartyRefusal/malformed(member:)``, ``RelyingPartyRefusal/channelNotOffered`` and
    /// ``RelyingPartyRefusal/outsideIntent``.
    package init(body: [UInt8], intent: IntentToken? = nil) throws(RelyingPartyRefusal) {
        var channel = RelyingPartyChannel.app
        let read = try RelyingPartyBody.read(body) { members throws(JSONTypeError) -> EnrollRequest in
            channel = try members.optional("channel", RelyingPartyChannel.init) ?? .app
            guard let subject = try RelyingPartyBody.subject(members) ?? intent?.request.subject else {
                throw JSONTypeError(path: ["username"], .missing)
            }
            return EnrollRequest(
                subject: subject, policy: try RelyingPartyBody.text("policy", atMost: 64, in: members), intent: intent)
        }
        guard channel.isOffered else { throw .channelNotOffered }
        _ = try intent?.subject(read.subject, by: channel)
        self = read
    }
}
