/// Why a command did not do what it was asked to; it decides the exit code.
package struct CommandFailure: Error, Sendable {
    /// Who stood in the way.
    package enum Kind: Int32, Sendable {
        /// The server, the authenticator or the user said no: exit code 1.
        case refused = 1
        /// Something on this machine or on the way to the server: exit code 2.
        case local = 2
    }

    package var kind: Kind
    /// A stable name, for programs.
    package var code: String
    /// A sentence, for people.
    package var message: String
    /// The FIDO client error code, where the failure has one.
    package var fidoErrorCode: Int?
    /// The UAF status that the server answered with.
    package var uafStatus: Int?
    /// Whether the same command may work later.
    package var isRetryable = false
    /// What helps, where ``message`` ends with it in commands.
    var advice: RecoveryAdvice?

    /// The sentence for people who use the phone by hand, where no commands can be given.
    var consoleMessage: String {
        advice.map { message.replacing($0.commandText, with: $0.consoleText) } ?? message
    }

    /// A failure on this machine.
    static func local(_ code: String, _ message: String, isRetryable: Bool = false) -> CommandFailure {
        CommandFailure(kind: .local, code: code, message: message, isRetryable: isRetryable)
    }

    /// A refusal.
    static func refused(_ code: String, _ message: String) -> CommandFailure {
        CommandFailure(kind: .refused, code: code, message: message)
    }
}
