/// Status code of a request to an authenticator-specific module.
///
/// FIDO UAF ASM API 1.1, 3.2.
public struct ASMStatus: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: Int16

    /// Accepts numbers that this version does not know.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// Done.
    public static let ok = ASMStatus(rawValue: 0x00)
    /// Any error without a specific code.
    public static let error = ASMStatus(rawValue: 0x01)
    /// The authenticator refused.
    public static let accessDenied = ASMStatus(rawValue: 0x02)
    /// The user declined.
    public static let userCancelled = ASMStatus(rawValue: 0x03)
    /// The transaction cannot be shown.
    public static let cannotRenderTransactionContent = ASMStatus(rawValue: 0x04)
    /// The key cannot be used any more.
    public static let keyDisappearedPermanently = ASMStatus(rawValue: 0x09)
    /// The authenticator is not there.
    public static let authenticatorDisconnected = ASMStatus(rawValue: 0x0B)
    /// The user took too long.
    public static let userNotResponsive = ASMStatus(rawValue: 0x0E)
    /// No room for a key; other matching authenticators must be tried first.
    public static let insufficientAuthenticatorResources = ASMStatus(rawValue: 0x0F)
    /// The user is locked out.
    public static let userLockout = ASMStatus(rawValue: 0x10)
    /// The user is not enrolled.
    public static let userNotEnrolled = ASMStatus(rawValue: 0x11)
}
