/// How a FIDO UAF operation ended on the client (FIDO UAF Application API and Transport Binding 1.1, ErrorCode).
///
/// The raw value is the number of the specification.
public enum FidoErrorCode: UInt8, CaseIterable, Sendable, Encodable {
    /// Success; never thrown.
    case noError = 0x00
    /// The operation waits for the user; never thrown.
    case waitUserAction = 0x01
    /// The server of a UAF exchange is not reached over TLS.
    case insecureTransport = 0x02
    /// The user declined.
    case userCanceled = 0x03
    /// The server offers no message of a version that this client speaks.
    case unsupportedVersion = 0x04
    /// No authenticator of this device satisfies the policy of the server.
    case noSuitableAuthenticator = 0x05
    /// A message is malformed, or the server refused the response.
    case protocolError = 0x06
    /// The server does not trust this application.
    case untrustedFacetId = 0x07
    /// The key is gone for good: delete the authenticator locally and register again.
    case keyDisappearedPermanently = 0x09
    /// The authenticator refuses this application.
    case authenticatorAccessDenied = 0x0C
    /// The text of a transaction cannot be shown as it is.
    case invalidTransactionContent = 0x0D
    /// The user, or the application, did not answer in time.
    case userNotResponsive = 0x0E
    /// No room for keys or records.
    case insufficientAuthenticatorResources = 0x0F
    /// Too many failed attempts: the authenticator is locked.
    case userLockout = 0x10
    /// Nothing is enrolled in the authenticator.
    case userNotEnrolled = 0x11
    /// Anything else.
    case unknown = 0xFF
}

extension FidoErrorCode: CustomStringConvertible {
    /// What the code means, in one English sentence.
    public var description: String {
        switch self {
        case .noError: "The operation succeeded."
        case .waitUserAction: "The operation waits for the user."
        case .insecureTransport: "The connection to the server is not protected by TLS."
        case .userCanceled: "The user canceled the operation."
        case .unsupportedVersion: "The server speaks no supported version of FIDO UAF."
        case .noSuitableAuthenticator: "No authenticator of this device is accepted by the server."
        case .protocolError: "A message was malformed or refused."
        case .untrustedFacetId: "The server does not trust this application."
        case .keyDisappearedPermanently: "The key of the authenticator is gone."
        case .authenticatorAccessDenied: "The authenticator refused access."
        case .invalidTransactionContent: "The transaction cannot be displayed."
        case .userNotResponsive: "The time to answer has passed."
        case .insufficientAuthenticatorResources: "The authenticator has no room left."
        case .userLockout: "The authenticator is locked after too many failed attempts."
        case .userNotEnrolled: "The user is not enrolled in the authenticator."
        case .unknown: "The operation failed."
        }
    }
}
