public import Foundation

/// What the FIDO UAF client API calls a failure of an operation that is not itself a UAF exchange.
///
/// It comes as the cause of an `Unknown` error of a PIN or password change.
public struct FidoFailure: LocalizedError, Sendable {
    /// The code, for example `userNotResponsive`.
    public let code: FidoErrorCode
    /// What led to it.
    public let cause: (any Error)?

    /// Names a code.
    public init(code: FidoErrorCode, cause: (any Error)? = nil) {
        self.code = code
        self.cause = cause
    }

    /// What the code means, in the language of the user.
    public var errorDescription: String? { code.text.localized }
}
