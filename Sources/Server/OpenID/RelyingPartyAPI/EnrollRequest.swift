import StrictJSON

/// Body of `POST /api/v1/users/enroll`: JSON of at most 16 KiB.
package struct EnrollRequest: Sendable, Hashable {
    /// `username` or `userId`, exactly one.
    package let subject: RelyingPartySubject
    /// `policy`: the name of a policy; nil: the default one.
    package let policy: String?

    package init(subject: RelyingPartySubject, policy: String? = nil) {
        self.subject = subject
        self.policy = policy
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
