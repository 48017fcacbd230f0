/// What waits for this device.
public struct PendingOutOfBandOperationsResult: Sendable {
    /// What waits at the servers that answered, the newest first.
    public let operations: [PendingOutOfBandOperation]
    /// One error for each server that did not answer.
    public let errors: [PendingOutOfBandOperationsError]

    /// Puts a result together.
    public init(operations: [PendingOutOfBandOperation], errors: [PendingOutOfBandOperationsError]) {
        self.operations = operations
        self.errors = errors
    }
}
