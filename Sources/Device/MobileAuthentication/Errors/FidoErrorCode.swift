import UAF

/// Result of a FIDO UAF operation on the client (FIDO UAF Application API and Transport Binding 1.1, ErrorCode).
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
    /// The key is gone for good: deregister it with ``JwsAuthorizationProvider`` and register again.
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

// MARK: - Other names

extension FidoErrorCode {
    /// ``userCanceled`` as the standard spells it.
    public static var userCancelled: FidoErrorCode { .userCanceled }

    /// ``keyDisappearedPermanently`` as guides of the closed SDK call it.
    public static var keyPermanentlyDeleted: FidoErrorCode { .keyDisappearedPermanently }
}

extension FidoErrorCode: CustomStringConvertible {
    /// Name and number of the code, for logs: `userCanceled (3)`.
    public var description: String { "\(name) (\(rawValue))" }

    /// Name of the code, for example `userCanceled`; it is written out because a release knows none at run time.
    package var name: String {
        switch self {
        case .noError: "noError"
        case .waitUserAction: "waitUserAction"
        case .insecureTransport: "insecureTransport"
        case .userCanceled: "userCanceled"
        case .unsupportedVersion: "unsupportedVersion"
        case .noSuitableAuthenticator: "noSuitableAuthenticator"
        case .protocolError: "protocolError"
        case .untrustedFacetId: "untrustedFacetId"
        case .keyDisappearedPermanently: "keyDisappearedPermanently"
        case .authenticatorAccessDenied: "authenticatorAccessDenied"
        case .invalidTransactionContent: "invalidTransactionContent"
        case .userNotResponsive: "userNotResponsive"
        case .insufficientAuthenticatorResources: "insufficientAuthenticatorResources"
        case .userLockout: "userLockout"
        case .userNotEnrolled: "userNotEnrolled"
        case .unknown: "unknown"
        }
    }

    func text(with cause: (any Error)?) -> SDKText {
        switch cause {
        case let status as ServerStatus: status.texts.description
        case is UnregisteredUserError: .notRegisteredHere
        default: text
        }
    }

    var text: SDKText {
        switch self {
        case .noError: .succeeded
        case .waitUserAction: .waitsForUser
        case .insecureTransport: .insecureTransport
        case .userCanceled: .canceled
        case .unsupportedVersion: .unsupportedVersion
        case .noSuitableAuthenticator: .noSuitableAuthenticator
        case .protocolError: .protocolError
        case .untrustedFacetId: .untrustedApplication
        case .keyDisappearedPermanently: .keyDisappeared
        case .authenticatorAccessDenied: .accessDenied
        case .invalidTransactionContent: .unshowableTransaction
        case .userNotResponsive: .notResponsive
        case .insufficientAuthenticatorResources: .noRoom
        case .userLockout: .lockedOut
        case .userNotEnrolled: .notEnrolled
        case .unknown: .failed
        }
    }
}

extension FidoErrorCode {
    init(_ code: ClientErrorCode) {
        self = UInt8(exactly: code.rawValue).flatMap(FidoErrorCode.init(rawValue:)) ?? .unknown
    }

    /// Status of an authenticator-specific module with the same meaning (FIDO UAF ASM API 1.1 section 3.2).
    var asmStatus: ASMStatus {
        switch self {
        case .noError: .ok
        case .userCanceled: .userCancelled
        case .authenticatorAccessDenied: .accessDenied
        case .invalidTransactionContent: .cannotRenderTransactionContent
        case .keyDisappearedPermanently: .keyDisappearedPermanently
        case .userNotResponsive: .userNotResponsive
        case .insufficientAuthenticatorResources: .insufficientAuthenticatorResources
        case .userLockout: .userLockout
        case .userNotEnrolled: .userNotEnrolled
        default: .error
        }
    }
}
