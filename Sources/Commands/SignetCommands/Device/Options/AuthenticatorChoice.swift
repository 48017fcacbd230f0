import ArgumentParser
import MobileAuthentication

/// The kinds of authenticators, as commands and scripts call them.
enum AuthenticatorChoice: String, ExpressibleByArgument, CaseIterable {
    case pin
    case password
    case fingerprint
    case passcode
    case face

    /// The word for a kind.
    init(_ kind: AuthenticatorAaid) {
        self =
            switch kind {
            case .Pin: .pin
            case .Password: .password
            case .Fingerprint: .fingerprint
            case .DevicePasscode: .passcode
            case .FaceRecognition: .face
            }
    }

    /// The kind that the word stands for.
    var kind: AuthenticatorAaid {
        switch self {
        case .pin: .Pin
        case .password: .Password
        case .fingerprint: .Fingerprint
        case .passcode: .DevicePasscode
        case .face: .FaceRecognition
        }
    }
}
