/// How much a message matters.
@nonexhaustive
public enum SDKLogLevel: Int, Comparable, Sendable {
    /// For the developers of an application.
    case debug
    /// Something worth knowing; success is quiet.
    case notice
    /// Something weakens the protection of the user.
    case warning
    /// The SDK was used wrongly, or has a mistake.
    case fault

    /// Orders by weight.
    public static func < (one: SDKLogLevel, other: SDKLogLevel) -> Bool { one.rawValue < other.rawValue }
}
