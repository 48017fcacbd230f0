/// What an initiator has asked for, after it was found to be allowed.
struct AskedOperation {
    let initiator: Initiator
    /// The user it is about; nil when whoever answers is to be found out.
    let user: User?
    /// The context of the UAF request, as it was asked for.
    let context: String
}
