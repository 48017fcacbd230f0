/// The dispatch target that a registration goes with.
package enum TargetLink: Sendable, Hashable {
    /// A new target, which never replaces another; its name gets a number when the user has a target of that name.
    ///
    /// The user may then have at most `limit` targets.
    case new(DispatchTarget, limit: Int)
    /// A target that is there, named by a request that its key has signed.
    case existing(SignedRequest)

    /// The target.
    package var id: DispatchTargetID {
        switch self {
        case .new(let target, _): target.id
        case .existing(let request): request.targetID
        }
    }
}
