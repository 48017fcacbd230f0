/// A command to an authenticator.
///
/// FIDO UAF Authenticator Commands 1.1, 6.
package enum AuthenticatorCommand: Hashable, Sendable {
    /// Tell what authenticators there are.
    case getInfo
    /// Make a key.
    case register(RegisterCommand)
    /// Sign.
    case sign(SignCommand)
    /// Forget keys.
    case deregister(DeregisterCommand)
    /// Show the settings of an authenticator.
    case openSettings(index: UInt8)

    /// Largest command or answer in bytes.
    package static let byteLimit = 16 * 1024

    /// Kind of the command.
    package var kind: AuthenticatorCommandKind {
        switch self {
        case .getInfo: .getInfo
        case .register: .register
        case .sign: .sign
        case .deregister: .deregister
        case .openSettings: .openSettings
        }
    }
}

/// The commands an authenticator understands.
///
/// FIDO UAF Authenticator Commands 1.1, 6.
public enum AuthenticatorCommandKind: Hashable, Sendable, CaseIterable {
    /// Tells what authenticators there are.
    case getInfo
    /// Makes a key.
    case register
    /// Signs with a key.
    case sign
    /// Forgets keys.
    case deregister
    /// Shows the authenticator's own settings.
    case openSettings
}
