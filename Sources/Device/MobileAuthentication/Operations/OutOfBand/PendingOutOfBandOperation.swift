public import Foundation

/// Asks every server of this device for operations neither redeemed nor expired, such as lost push messages.
///
/// It needs no user, and is not meant for polling.
///
/// ```swift
/// let pending = await client.operations.pendingOutOfBandOperations.perform()
/// for waiting in pending.operations {
///     let step = try await client.operations.outOfBandOperation.payload(waiting.payload).perform()
///     if case .authentication(let authentication) = step {
///         _ = try await authentication.accountSelector(screen).authenticatorSelector(screen)
///             .pinUserVerifier(screen).perform()
///     }
/// }
/// ```
public protocol PendingOutOfBandOperations: HttpOperation {
    /// Called once with the pending operations, and with the errors.
    @discardableResult @preconcurrency
    func onResult(_ handler: @escaping @MainActor (PendingOutOfBandOperationsResult) -> Void) -> Self

    /// Runs the operation and waits for its end.
    func perform() async -> PendingOutOfBandOperationsResult
}

/// Operations pending for this device.
public struct PendingOutOfBandOperationsResult: Sendable {
    /// Pending operations of the servers that answered, the newest first.
    public let operations: [PendingOutOfBandOperation]
    /// One error for each server that did not answer.
    public let errors: [PendingOutOfBandOperationsError]

    /// Creates a result.
    public init(operations: [PendingOutOfBandOperation], errors: [PendingOutOfBandOperationsError]) {
        self.operations = operations
        self.errors = errors
    }
}

/// An operation pending at a server for this device.
public struct PendingOutOfBandOperation: Hashable, Sendable {
    /// Payload to give to ``OutOfBandOperation``.
    public let payload: OutOfBandPayload
    /// Time of the dispatch, in milliseconds since 1970, by the clock of the server.
    public let creationTimeInEpochMillis: Int64
    /// Channel by which the operation was dispatched.
    public let dispatchChannel: DispatchChannel
    /// Information that came beside the payload: of a push message the notification, JSON; empty for none.
    public let additionalInformation: String

    /// Time of the dispatch, by the clock of the server.
    public var creationTime: Date { Date(timeIntervalSince1970: Double(creationTimeInEpochMillis) / 1000) }
}
