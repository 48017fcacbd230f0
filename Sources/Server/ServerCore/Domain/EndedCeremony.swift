package import UAF

/// An in-band ceremony whose response was judged, as it was written with the response.
package struct EndedCeremony: Sendable, Hashable {
    /// Operation of the ceremony; nil for one that an earlier version of the server has written.
    package let operation: OperationKind?
    /// The user who answered; nil when that never became known.
    package let userID: UserID?
    /// Outcome, with the time of the end.
    package let progress: CeremonyProgress

    /// Takes what was stored.
    package init(operation: OperationKind?, userID: UserID?, progress: CeremonyProgress) {
        self.operation = operation
        self.userID = userID
        self.progress = progress
    }
}
