// What the sample app takes from UserNotifications; the names are Apple's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public static let sound = Self(rawValue: 2)
    public static let alert = Self(rawValue: 4)

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

public final class UNUserNotificationCenter: Sendable {
    public static func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }

    public func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool { false }
}
