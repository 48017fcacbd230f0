/// Report to the server about an operation that the user denies.
@nonexhaustive
public enum CancellationReport: String, Hashable, Sendable {
    /// Nothing but that the user canceled.
    case none
    /// The user did not begin the operation: another person may have tried to sign in with their name.
    case unexpected
}
