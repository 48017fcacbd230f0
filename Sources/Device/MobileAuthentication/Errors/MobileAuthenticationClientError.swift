import BackendTransport
public import Foundation

/// Common properties of the terminal errors of the SDK.
///
/// The domain is the name of the error type, the code is stable for each case. No error holds a secret or what the
/// user typed.
///
/// ```swift
/// let operations = client.operations
/// do {
///     _ = try await operations.authentication.username("anna")
///         .authenticatorSelector(screen).pinUserVerifier(screen).perform()
/// } catch {
///     guard [.userLockout, .keyDisappearedPermanently].contains(error.fidoErrorCode) else { throw error }
///     // After the user has agreed to it:
///     try await operations.deregistration.username("anna")
///         .authorizationProvider(JwsAuthorizationProvider()).perform()
///     // Then show how to be verified anew: a password login, a code from the portal, the help desk.
/// }
/// ```
public protocol MobileAuthenticationClientError: LocalizedError, CustomNSError, Sendable {
    /// Underlying error that led to this one, if any.
    var cause: (any Error)? { get }
    /// The code of the FIDO UAF client API, when the UAF protocol is what failed.
    var fidoErrorCode: FidoErrorCode? { get }
    /// The server that the error is about, when there is more than one to choose from.
    var server: (any Server)? { get }
    /// Whether the user, or the application for the user, ended the operation.
    var isUserCancellation: Bool { get }
    /// Whether the same operation may succeed when it is simply started again.
    var isRetryable: Bool { get }
}

extension MobileAuthenticationClientError {
    /// No particular server.
    public var server: (any Server)? { nil }

    /// True for the FIDO code `userCanceled`.
    public var isUserCancellation: Bool { fidoErrorCode == .userCanceled }

    /// The cause, under the key that `NSError` uses for it.
    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [:]
        userInfo[NSLocalizedDescriptionKey] = errorDescription
        userInfo[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        userInfo[NSUnderlyingErrorKey] = cause
        return userInfo
    }

    /// Localized recovery suggestion, for errors that the user can do something about.
    public var recoverySuggestion: String? { recovery?.localized }

    private var recovery: SDKText? {
        if let damage = DamagedFileError(behind: cause) { return damage.recovery }
        return switch fidoErrorCode {
        case .keyDisappearedPermanently, .userLockout: .registerAgain
        case .userNotEnrolled: .setUpOnDevice
        case .noSuitableAuthenticator where cause is UnregisteredUserError: .registerHere
        // The key of an authentication is marked as unusable then; the key of a registration was deleted.
        case .protocolError where cause as? ServerStatus == .unknownKeyID && !(self is AuthenticationError): .tryAgain
        case .protocolError where cause is ServerStatus: (cause as? ServerStatus)?.texts.recovery
        default:
            switch errorCode {
            case SharedErrorNumber.noDeviceLock: .setDeviceLock
            case SharedErrorNumber.wrongClock: .setClock
            case SharedErrorNumber.alreadyRedeemed, SharedErrorNumber.tokenExpired: .scanAgain
            case SharedErrorNumber.nameInUse: .chooseAnotherName
            default: (cause as? ServerStatus)?.texts.recovery ?? networkRecovery
            }
        }
    }

    /// Suggestion for a failed connection, or to try again where nothing else helps.
    private var networkRecovery: SDKText? {
        if let failure = BackendTransportError(behind: cause) { return failure.texts.recovery }
        guard isRetryable else { return nil }
        return (cause as? HTTPStatusError)?.endsWithTime ?? false ? .waitAndTryAgain : .tryAgain
    }
}
