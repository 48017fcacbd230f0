public import Foundation

/// Failure with a code of the FIDO UAF client API, in an operation that is not itself a UAF exchange.
///
/// It comes as the cause of an `Unknown` error of a PIN or password change.
public struct FidoFailure: LocalizedError, Sendable {
    /// The code, for example `userNotResponsive`.
    public let code: FidoErrorCode
    /// Underlying error, if any.
    public let cause: (any Error)?

    /// Creates a code.
    public init(code: FidoErrorCode, cause: (any Error)? = nil) {
        self.code = code
        self.cause = cause
    }

    /// Localized description of the code.
    public var errorDescription: String? { code.text.localized }
}
