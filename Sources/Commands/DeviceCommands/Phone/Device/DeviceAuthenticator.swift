package import MobileAuthentication

/// One authenticator of a virtual device, registered or not, in readable form.
package struct DeviceAuthenticator: Hashable, Sendable {
    package let kind: AuthenticatorAaid
    package let aaid: String
    package let isSupportedByHardware: Bool
    package let isSupportedByOs: Bool
    /// Whether something is enrolled: in the operating system, or a secret for at least one account.
    package let isEnrolled: Bool
    package let registrations: [DeviceRegistration]

    init?(_ authenticator: any Authenticator) {
        guard let kind = AuthenticatorAaid(rawValue: authenticator.aaid) else { return nil }
        self.kind = kind
        aaid = authenticator.aaid
        isSupportedByHardware = authenticator.isSupportedByHardware
        isSupportedByOs = authenticator.isSupportedByOs
        isEnrolled =
            switch authenticator.userEnrollment {
            case let enrollment as OsUserEnrollment: enrollment.isEnrolled()
            case let enrollment as SdkUserEnrollment: !enrollment.enrolledAccounts.isEmpty
            default: false
            }
        registrations = authenticator.registration.registeredAccounts.map { account in
            DeviceRegistration(
                username: account.username, server: account.server.baseUrl.absoluteString, aaid: authenticator.aaid,
                isUsable: authenticator.registration.isUsable(account.username))
        }
    }
}

/// One registration of a virtual device, in readable form.
package struct DeviceRegistration: Hashable, Sendable, Codable {
    package let username: String
    /// The base address of the server.
    package let server: String
    package let aaid: String
    package let isUsable: Bool
}
