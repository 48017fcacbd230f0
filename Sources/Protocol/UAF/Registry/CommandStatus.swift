/// Status code of an authenticator command.
///
/// FIDO UAF Authenticator Commands 1.1, 4.4.
public struct CommandStatus: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: UInt16

    /// Takes a number as it is.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Done.
    public static let ok = CommandStatus(rawValue: 0x00)
    /// Anything without a code of its own.
    public static let unknownError = CommandStatus(rawValue: 0x01)
    /// Access to the operation was refused.
    public static let accessDenied = CommandStatus(rawValue: 0x02)
    /// The user is not enrolled.
    public static let userNotEnrolled = CommandStatus(rawValue: 0x03)
    /// The transaction cannot be shown.
    public static let cannotRenderTransactionContent = CommandStatus(rawValue: 0x04)
    /// The user declined.
    public static let userCancelled = CommandStatus(rawValue: 0x05)
    /// The authenticator does not have this command.
    public static let commandNotSupported = CommandStatus(rawValue: 0x06)
    /// The attestation type asked for is not supported.
    public static let attestationNotSupported = CommandStatus(rawValue: 0x07)
    /// The command is malformed.
    public static let parametersInvalid = CommandStatus(rawValue: 0x08)
    /// The key cannot be used any more.
    public static let keyDisappearedPermanently = CommandStatus(rawValue: 0x09)
    /// The operation took too long.
    public static let timeout = CommandStatus(rawValue: 0x0A)
    /// The user took too long.
    public static let userNotResponsive = CommandStatus(rawValue: 0x0E)
    /// No room for a key.
    public static let insufficientResources = CommandStatus(rawValue: 0x0F)
    /// The user is locked out.
    public static let userLockout = CommandStatus(rawValue: 0x10)

    /// Status that the authenticator-specific module reports for this one (FIDO UAF ASM API 1.1, section 3.2.2).
    ///
    /// A ``commandNotSupported`` that the module made up for by itself is ``ASMStatus/ok``; that is the module's to
    /// know. A ``timeout`` is worth another try before it becomes an error.
    public func asmStatus(after command: AuthenticatorCommandKind) -> ASMStatus {
        switch self {
        case .ok: .ok
        case .accessDenied: .accessDenied
        case .userNotEnrolled: command == .sign ? .accessDenied : .userNotEnrolled
        case .cannotRenderTransactionContent: .cannotRenderTransactionContent
        case .userCancelled: .userCancelled
        case .keyDisappearedPermanently: .keyDisappearedPermanently
        case .userNotResponsive: .userNotResponsive
        case .insufficientResources: .insufficientAuthenticatorResources
        case .userLockout: .userLockout
        default: .error
        }
    }
}
