/// An authenticator's answer to a command.
///
/// FIDO UAF Authenticator Commands 1.1, 6.2.
package enum AuthenticatorResponse: Hashable, Sendable {
    /// What a successful Sign brings.
    package enum SignResult: Hashable, Sendable {
        /// The assertion element, as bytes.
        case assertion([UInt8])
        /// Several keys fit: the user has to choose by name, then Sign is called again with the handle.
        case choices([UsernameAndKeyHandle])
    }

    /// A user name with the key made for it.
    package struct UsernameAndKeyHandle: Hashable, Sendable {
        /// Name of the account.
        package let username: String
        /// The wrapped key.
        package let keyHandle: [UInt8]

        /// Pairs a name with a key.
        package init(username: String, keyHandle: [UInt8]) {
            self.username = username
            self.keyHandle = keyHandle
        }
    }

    /// What there is.
    case getInfo([AuthenticatorDescription])
    /// A new key: the assertion element as bytes, and the wrapped key unless the authenticator keeps it.
    case register(assertion: [UInt8], keyHandle: [UInt8]?)
    /// A signature, or a question.
    case sign(SignResult)
    /// Keys are forgotten.
    case deregister
    /// The settings were shown.
    case openSettings
    /// The command failed.
    case failure(AuthenticatorCommandKind, CommandStatus)
}
