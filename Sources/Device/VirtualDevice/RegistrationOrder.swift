package import MobileAuthentication

/// How a virtual device registers an authenticator.
package struct RegistrationOrder: Sendable {
    /// The name of the device, needed for its first registration.
    package var deviceName: String?
    /// Where push messages for the device go, told with its first registration.
    package var pushToken: String?
    /// What shows the server that the user may register.
    package var authorization: (any AuthorizationProvider)?
    /// Whether the passcode may stand in for finger or face.
    package var allowsPasscodeFallback = false
    /// Whether the key stays usable when another finger or face is enrolled.
    package var keepsOnNewBiometrics = false

    /// A registration with the strict choices.
    package init(deviceName: String? = nil, authorization: (any AuthorizationProvider)? = nil) {
        self.deviceName = deviceName
        self.authorization = authorization
    }
}
