/// Body of `POST /api/v1/users/enroll`: JSON of at most 16 KiB.
package struct EnrollRequest: Sendable, Hashable {
    /// `username` or `userId`, exactly one.
    package let subject: RelyingPartySubject
    /// `policy`: the name of a policy; nil: the default one.
    package let policy: String?

    /// Describes a request.
    package init(subject: RelyingPartySubject, policy: String? = nil) {
        self.subject = subject
        self.policy = policy
    }
}
