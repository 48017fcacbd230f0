/// An error of DeviceCheck.
public struct DCError: Error, Hashable, Sendable {
    /// Reason of an error.
    public enum Code: Int, Sendable, CaseIterable {
        case unknownSystemFailure = 0
        case featureUnsupported = 1
        case invalidInput = 2
        case invalidKey = 3
        case serverUnavailable = 4
    }

    /// The reason.
    public let code: Code

    /// The error of a number; an unknown one is a failure of the system.
    init(_ number: Int) {
        code = Code(rawValue: number) ?? .unknownSystemFailure
    }
}
