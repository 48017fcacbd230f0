import HardwareKeys

/// An authenticator as it stood when it was asked for.
struct AuthenticatorSnapshot: Authenticator {
    let aaid: String
    let registered: RegistrationSnapshot
    private(set) var enrollment: EnrollmentSnapshot
    private(set) var isSupportedByHardware: Bool
    private(set) var isSupportedByOs: Bool
    private var platform = FollowedPlatform()

    init(
        aaid: String, registered: RegistrationSnapshot, enrollment: EnrollmentSnapshot, isSupportedByHardware: Bool,
        isSupportedByOs: Bool
    ) {
        self.aaid = aaid
        self.registered = registered
        self.enrollment = enrollment
        self.isSupportedByHardware = isSupportedByHardware
        self.isSupportedByOs = isSupportedByOs
    }

    /// The same with what the platform has now, and an enrolment that goes on to say how it is; unchanged where the
    /// platform tells nothing at once.
    func following(_ support: @escaping @Sendable () -> PlatformSupport?) -> AuthenticatorSnapshot {
        guard case .os = enrollment, let now = support() else { return self }
        var copy = self
        copy.enrollment = .os(now.isEnrolled)
        copy.isSupportedByHardware = now.isSupportedByHardware
        copy.isSupportedByOs = now.isSupportedByOs
        copy.platform.support = support
        return copy
    }

    var registration: any RegistrationInfo { registered }

    var userEnrollment: any UserEnrollment {
        switch enrollment {
        case .sdk(let accounts): SdkUserEnrollment(enrolledAccounts: accounts)
        case .os(let enrolled):
            OsUserEnrollment(enrolled: enrolled, now: platform.isEnrolled)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case aaid
        case registration
        case userEnrollment
        case isSupportedByHardware
        case isSupportedByOs
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(aaid, forKey: .aaid)
        try container.encode(registered, forKey: .registration)
        try container.encode(userEnrollment, forKey: .userEnrollment)
        try container.encode(isSupportedByHardware, forKey: .isSupportedByHardware)
        try container.encode(isSupportedByOs, forKey: .isSupportedByOs)
    }
}

/// The platform that a snapshot follows; it makes no difference between two snapshots.
private struct FollowedPlatform: Equatable {
    var support: (@Sendable () -> PlatformSupport?)?

    var isEnrolled: (@Sendable () -> Bool?)? {
        guard let support else { return nil }
        return { support()?.isEnrolled }
    }

    static func == (one: FollowedPlatform, other: FollowedPlatform) -> Bool { true }
}
