package import MobileAuthentication

/// One authenticator of a virtual device, registered or not, in readable form.
package struct DeviceAuthenticator: Hashable, Sendable {
    /// Its kind.
    package let kind: AuthenticatorAaid
    /// Its model.
    package let aaid: String
    /// Whether the device has what it needs.
    package let isSupportedByHardware: Bool
    /// Whether the operating system offers it.
    package let isSupportedByOs: Bool
    /// Whether something is enrolled: in the operating system, or a secret for at least one account.
    package let isEnrolled: Bool
    /// Registrations of the keys that it holds.
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
    /// The name of the user.
    package let username: String
    /// The base address of the server.
    package let server: String
    /// AAID of the authenticator.
    package let aaid: String
    /// Whether the key still works.
    package let isUsable: Bool
}
