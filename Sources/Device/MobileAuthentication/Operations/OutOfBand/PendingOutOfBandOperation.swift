public import Foundation

/// Asks every server of this device for operations that were neither redeemed nor ran out: for lost push messages.
///
/// It needs no user, and is not meant for polling.
public protocol PendingOutOfBandOperations: HttpOperation {
    /// Called once with what waits, and with what went wrong.
    @discardableResult @preconcurrency
    func onResult(_ handler: @escaping @MainActor (PendingOutOfBandOperationsResult) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async -> PendingOutOfBandOperationsResult
}

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

/// An operation that waits for this device.
public struct PendingOutOfBandOperation: Hashable, Sendable {
    /// What to give to ``OutOfBandOperation``.
    public let payload: OutOfBandPayload
    /// When it was dispatched, in milliseconds since 1970, by the clock of the server.
    public let creationTimeInEpochMillis: Int64
    /// How it was dispatched.
    public let dispatchChannel: DispatchChannel
    /// What came with it and is no part of the payload: of a push message the notification, JSON; empty for nothing.
    public let additionalInformation: String

    /// When it was dispatched, by the clock of the server.
    public var creationTime: Date { Date(timeIntervalSince1970: Double(creationTimeInEpochMillis) / 1000) }
}
