import BackendTransport
import Foundation

/// Number that stays the same, text for the user, and underlying error of one case of an error.
typealias ErrorFacts = (code: Int, text: SDKText, cause: (any Error)?)

/// Error of the SDK whose properties follow from the facts of its cases.
protocol FactualError: MobileAuthenticationClientError {
    var facts: ErrorFacts { get }
}

extension FactualError {
    /// `MobileAuthentication.` and the name of the type.
    public static var errorDomain: String { "MobileAuthentication.\(Self.self)" }

    /// A number that stays the same for each case, equal to the number of the same case of the other errors.
    public var errorCode: Int { facts.code }

    /// Localized description of the error, in one sentence; for wrong use, what is wrong, in words for developers; for
    /// damage, what is damaged and what is not.
    public var errorDescription: String? {
        (cause as? any WrongUse)?.errorDescription ?? DamagedFileError(behind: cause)?.errorDescription
            ?? facts.text.localized
    }

    /// Underlying error that led to this one, if any.
    public var cause: (any Error)? { facts.cause }

    /// Nil: the UAF protocol takes no part in it.
    public var fidoErrorCode: FidoErrorCode? { nil }

    /// Whether the operation was canceled.
    public var isUserCancellation: Bool { fidoErrorCode == .userCanceled || cause is CancellationError }

    /// Whether the same operation may succeed when it is simply started again.
    public var isRetryable: Bool {
        if let fidoErrorCode { return fidoErrorCode == .userNotResponsive || fidoErrorCode == .userCanceled }
        guard errorCode == SharedErrorNumber.network else { return false }
        return switch cause {
        case let status as HTTPStatusError: status.isTemporary
        case is any WrongUse: false
        default: BackendTransportError(behind: cause)?.isPassing ?? true
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure with which operations end before or beside their work; the requirements are cases.
protocol OperationFailure: FactualError {
    static func DeviceProtectionError(cause: (any Error)?) -> Self
    static func Unknown(cause: (any Error)?) -> Self
}

/// Cause that only the developers of the application can do something about.
protocol WrongUse: LocalizedError {}

extension MissingParameterError: WrongUse {}
extension InvalidParameterError: WrongUse {}
extension ConflictingOptionsError: WrongUse {}
extension OperationReuseError: WrongUse {}
extension NestedOperationError: WrongUse {}
extension InsecureAddressError: WrongUse {}
extension ProductionHostError: WrongUse {}

/// Error codes that mean the same in every error of the SDK.
enum SharedErrorNumber {
    static let network = 2
    static let noDeviceLock = 3
    static let wrongClock = 6
    static let alreadyRedeemed = 22
    static let tokenExpired = 23
    static let nameInUse = 24
}
