public import Foundation

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
