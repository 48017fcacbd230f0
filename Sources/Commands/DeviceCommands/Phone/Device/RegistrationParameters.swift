package import MobileAuthentication

/// Parameters of a registration by a virtual device.
package struct RegistrationParameters: Sendable {
    /// The name of the device, needed for its first registration.
    package var deviceName: String?
    /// Push token of the device, told to the server with its first registration.
    package var pushToken: String?
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

extension RegistrationParameters: CustomStringConvertible, CustomReflectable {
    /// The name of the device, without the token for push messages.
    package var description: String { "RegistrationParameters(\(deviceName ?? "no name"))" }

    /// Empty, so that reflection shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
