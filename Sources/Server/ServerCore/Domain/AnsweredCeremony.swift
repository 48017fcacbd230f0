package import UAF

/// An in-band ceremony whose response was judged, as the status service shows it.
///
/// Before the answer nothing is stored of such a ceremony: the phone keeps its sealed state.
package struct AnsweredCeremony: Sendable, Hashable {
    /// Operation of the ceremony; nil for one that an earlier version of the server has written.
    package let operation: OperationKind?
    /// Outcome, with the time of the end.
    package let progress: CeremonyProgress
    /// The user; nil when there is none any more.
    package let user: User?
    /// Whether user and credentials are as they were when it succeeded: locked or removed since, nothing is granted.
    package let holds: Bool

    /// Puts them together.
    package init(operation: OperationKind?, progress: CeremonyProgress, user: User?, holds: Bool) {
        self.operation = operation
        self.progress = progress
        self.user = user
        self.holds = holds
    }
}
