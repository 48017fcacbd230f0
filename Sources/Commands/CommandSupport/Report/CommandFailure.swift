/// Failure of a command, which determines its exit code.
package struct CommandFailure: Error, Sendable {
    /// Origin of the failure.
    package enum Kind: Int32, Sendable {
        /// Refusal by the server, the authenticator or the user: exit code 1.
        case refused = 1
        /// Failure of this machine, or of the connection to the server: exit code 2.
        case local = 2
    }

    /// Origin of the failure, which is its exit code.
    package var kind: Kind
    /// Stable name of the failure in the JSON output.
    package var code: String
    package var message: String
    package var fidoErrorCode: Int?
    package var uafStatus: Int?
    /// Whether the same command may succeed later.
    package var isRetryable: Bool
    /// Remedy for the failure, where ``message`` ends with its commands.
    package var advice: RecoveryAdvice?

    package init(
        kind: Kind, code: String, message: String, fidoErrorCode: Int? = nil, uafStatus: Int? = nil,
        isRetryable: Bool = false, advice: RecoveryAdvice? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.fidoErrorCode = fidoErrorCode
        self.uafStatus = uafStatus
        self.isRetryable = isRetryable
        self.advice = advice
    }

    /// Description for users of the interactive phone, where shell commands are of no use.
    package var consoleMessage: String {
        advice.map { message.replacing($0.commandText, with: $0.consoleText) } ?? message
    }

    package static func local(_ code: String, _ message: String, isRetryable: Bool = false) -> CommandFailure {
        CommandFailure(kind: .local, code: code, message: message, isRetryable: isRetryable)
    }

    package static func refused(_ code: String, _ message: String) -> CommandFailure {
        CommandFailure(kind: .refused, code: code, message: message)
    }
}
