/// Enrolment that the operating system holds: a finger, a face, a device passcode.
public struct OsUserEnrollment: UserEnrollment, Hashable {
    private let enrolled: Bool

    /// Says whether something is enrolled in the operating system.
    public init(enrolled: Bool) {
        self.enrolled = enrolled
    }

    /// Whether a finger, a face or a passcode is set up.
    public func isEnrolled() -> Bool { enrolled }
}
