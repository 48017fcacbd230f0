/// What a server is told when a user denies an operation.
@nonexhaustive
public enum CancellationReport: String, Hashable, Sendable {
    /// Nothing but that the user canceled.
    case none
    /// The user did not begin the operation: somebody else may have tried to sign in with his name.
    case unexpected
}
