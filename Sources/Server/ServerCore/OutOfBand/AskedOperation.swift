/// What an initiator has asked for, after it was found to be allowed.
struct AskedOperation {
    let initiator: Initiator
    /// The login of the initiator; nil for one that is no user.
    let evidence: RequestAuthorization.Evidence?
    /// The user it is about; nil when whoever answers is to be found out.
    let user: User?
    /// The context of the UAF request, as it was asked for.
    let context: String
}
