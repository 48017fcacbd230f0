/// An authenticator as it stood when it was asked for.
struct AuthenticatorSnapshot: Authenticator {
    let aaid: String
    let registered: RegistrationSnapshot
    let enrollment: EnrollmentSnapshot
    let isSupportedByHardware: Bool
    let isSupportedByOs: Bool

    var registration: any RegistrationInfo { registered }

    var userEnrollment: any UserEnrollment {
        switch enrollment {
        case .sdk(let accounts): SdkUserEnrollment(enrolledAccounts: accounts)
        case .os(let enrolled): OsUserEnrollment(enrolled: enrolled)
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
