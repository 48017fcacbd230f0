/// What became of an outcome that was handed to ``UnitOfWork/commit(_:)``.
package enum CommitResult: Sendable, Hashable {
    /// Everything was written and is durable.
    case committed
    /// A precondition did not hold; the challenge is consumed unless the reason says otherwise.
    case refused(CommitRefusal)
}
