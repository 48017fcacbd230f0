import MobileAuthentication

extension DeviceInformationMismatch {
    /// The name of the case.
    var kind: String {
        switch self {
        case .MissingAuthenticatorInMobileDevice: "MissingAuthenticatorInMobileDevice"
        case .MissingAuthenticatorInServer: "MissingAuthenticatorInServer"
        case .MissingDeviceInformationInMobileDevice: "MissingDeviceInformationInMobileDevice"
        case .MissingDeviceInformationInServer: "MissingDeviceInformationInServer"
        case .DeviceNameMismatch: "DeviceNameMismatch"
        case .FcmRegistrationTokenMismatch: "FcmRegistrationTokenMismatch"
        @unknown default: "unknown"
        }
    }

    /// What it is about; push tokens are left out, whoever has one can send to this phone.
    var facts: [(name: String, value: String)] {
        switch self {
        case .MissingAuthenticatorInMobileDevice(let keyID, let aaid, _): [("aaid", aaid), ("keyId", keyID)]
        case .MissingAuthenticatorInServer(let keyID, let aaid, let account):
            [("aaid", aaid), ("keyId", keyID), ("username", account.username)]
        case .MissingDeviceInformationInMobileDevice(let id, _): [("record", id)]
        case .MissingDeviceInformationInServer(let pair, _):
            [("record", pair.identifier), ("username", pair.username)]
        case .DeviceNameMismatch(let there, let here, _): [("nameInServer", there), ("nameInMobileDevice", here)]
        case .FcmRegistrationTokenMismatch(let there, let here, _):
            [("pushInServer", there == nil ? "off" : "on"), ("pushInMobileDevice", here == nil ? "off" : "on")]
        @unknown default: []
        }
    }

    /// Whether mending it removes something, here or there.
    var isRemoval: Bool {
        switch proposedAction {
        case .removeFromServer, .removeFromMobileDevice: true
        case .takeFromServer, .sendToServer: false
        @unknown default: true
        }
    }
}
