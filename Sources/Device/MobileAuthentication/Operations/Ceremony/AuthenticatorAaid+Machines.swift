import Authenticators
import UAFClient

extension AuthenticatorAaid {
    /// The secret of this kind of authenticator; nil where the operating system verifies the user.
    var secretKind: SecretKind? {
        switch self {
        case .Pin: .pin
        case .Password: .password
        case .Fingerprint, .FaceRecognition, .DevicePasscode: nil
        }
    }
}

extension SecretKind {
    var authenticator: AuthenticatorAaid {
        switch self {
        case .pin: .Pin
        case .password: .Password
        }
    }
}

extension PresenceQuestion {
    var kind: AuthenticatorAaid { AuthenticatorAaid(authenticator) }
}
