import ServerCore

/// Operation that an initiator may begin, after admission.
struct AdmittedOperation {
    let initiator: Initiator
    /// Whether it was asked for without any proof; see ``OutOfBandCeremony/isByStranger``.
    let isByStranger: Bool
    /// The login of the initiator; nil for one that is no user.
    let evidence: RequestAuthorization.Evidence?
    /// The user it is about; nil when the answer is to tell who it is.
    let user: User?
    /// The context of the UAF request, as the initiator sent it.
    let requestContext: String
}
