public import Foundation

/// A server refused a signed request because its clock and that of the device are too far apart.
///
/// It comes as the cause of a `ClockSkewTooBig`.
public struct ClockSkewError: LocalizedError, Hashable, Sendable {
    /// How many seconds the device is ahead of the server, negative when it is behind; nil when the server gave no time.
    public let secondsAhead: Int?

    /// Wraps a measured difference.
    public init(secondsAhead: Int?) {
        self.secondsAhead = secondsAhead
    }

    /// Says the difference.
    public var errorDescription: String? {
        secondsAhead.map { "The clock of the device is \($0) seconds ahead of the server's." }
            ?? "The clocks of device and server are too far apart."
    }
}
