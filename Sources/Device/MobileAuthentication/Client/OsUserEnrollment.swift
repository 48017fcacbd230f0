/// Enrolment that the operating system holds: a finger, a face, a device passcode.
///
/// Two are equal when they were the same at the time when ``LocalData/authenticators`` was read.
public struct OsUserEnrollment: UserEnrollment, Hashable {
    private let enrolled: Bool
    private let now: (@Sendable () -> Bool?)?

    /// Says whether something is enrolled in the operating system.
    public init(enrolled: Bool) {
        self.init(enrolled: enrolled, now: nil)
    }

    /// Follows a platform that tells at once how it is now.
    init(enrolled: Bool, now: (@Sendable () -> Bool?)?) {
        self.enrolled = enrolled
        self.now = now
    }

    /// Whether a finger, a face or a passcode is set up: now where the platform tells it at once, otherwise as the last
    /// operation or ``LocalData/refresh()`` saw it.
    public func isEnrolled() -> Bool { now?() ?? enrolled }

    /// Compares what was set up.
    public static func == (one: OsUserEnrollment, other: OsUserEnrollment) -> Bool { one.enrolled == other.enrolled }

    /// Hashes what was set up.
    public func hash(into hasher: inout Hasher) { hasher.combine(enrolled) }

    private enum CodingKeys: String, CodingKey {
        case enrolled
    }
}
