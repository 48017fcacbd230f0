/// An operation as the status service shows it.
package struct OperationStanding: Sendable, Hashable {
    /// The operation.
    package let operation: OutOfBandCeremony
    /// The user, when known.
    package let user: User?
    /// The name of its target to other systems.
    package let targetExternalID: TargetExternalID?
    /// Whether user and credentials are as they were when it succeeded: locked or removed since, nothing is granted.
    package let holds: Bool

    /// Puts them together.
    package init(
        operation: OutOfBandCeremony, user: User?, targetExternalID: TargetExternalID?, holds: Bool
    ) {
        self.operation = operation
        self.user = user
        self.targetExternalID = targetExternalID
        self.holds = holds
    }
}
