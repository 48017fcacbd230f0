/// How a dispatching ended; results we do not know survive reading.
public struct DispatchResult: RawRepresentable, Hashable, Sendable {
    /// The spelling on the wire.
    public let rawValue: String

    /// Takes any spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The token was handed to the delivery service, or the link or picture was made.
    public static let dispatched = DispatchResult(rawValue: "dispatched")
    /// The delivery service did not take it, or the target lacks what the dispatcher needs.
    public static let dispatchError = DispatchResult(rawValue: "dispatchError")
    /// The delivery service no longer knows the device.
    public static let dispatchTargetExpired = DispatchResult(rawValue: "dispatchTargetExpired")
    /// There is no such target, or it is another user's.
    public static let dispatchTargetNotFound = DispatchResult(rawValue: "dispatchTargetNotFound")
    /// No such dispatcher is configured.
    public static let dispatcherNotFound = DispatchResult(rawValue: "dispatcherNotFound")
    /// There is no such user.
    public static let userNotFound = DispatchResult(rawValue: "userNotFound")
    /// The server failed.
    public static let internalError = DispatchResult(rawValue: "internalError")
}
