/// Error code of a UAF client.
///
/// FIDO UAF Application API and Transport Binding 1.1, 2.3 (`ErrorCode`).
public struct ClientErrorCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: UInt16

    /// Accepts numbers that this version does not know.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Done.
    public static let noError = ClientErrorCode(rawValue: 0x00)
    /// The user has to do something first.
    public static let waitUserAction = ClientErrorCode(rawValue: 0x01)
    /// The caller is a web page without a secure context.
    public static let insecureTransport = ClientErrorCode(rawValue: 0x02)
    /// The user declined.
    public static let userCancelled = ClientErrorCode(rawValue: 0x03)
    /// No version in the message is supported.
    public static let unsupportedVersion = ClientErrorCode(rawValue: 0x04)
    /// No authenticator satisfies the policy.
    public static let noSuitableAuthenticator = ClientErrorCode(rawValue: 0x05)
    /// The message is malformed.
    public static let protocolError = ClientErrorCode(rawValue: 0x06)
    /// The calling application may not use this AppID.
    public static let untrustedFacetID = ClientErrorCode(rawValue: 0x07)
    /// The key cannot be used any more; register again.
    public static let keyDisappearedPermanently = ClientErrorCode(rawValue: 0x09)
    /// The authenticator refused.
    public static let authenticatorAccessDenied = ClientErrorCode(rawValue: 0x0C)
    /// The transaction cannot be shown.
    public static let invalidTransactionContent = ClientErrorCode(rawValue: 0x0D)
    /// The user took too long.
    public static let userNotResponsive = ClientErrorCode(rawValue: 0x0E)
    /// The authenticator has no room for a key.
    public static let insufficientAuthenticatorResources = ClientErrorCode(rawValue: 0x0F)
    /// The user is locked out of the authenticator.
    public static let userLockout = ClientErrorCode(rawValue: 0x10)
    /// The user is not enrolled with the authenticator.
    public static let userNotEnrolled = ClientErrorCode(rawValue: 0x11)
    /// Anything else.
    public static let unknown = ClientErrorCode(rawValue: 0xFF)
}
