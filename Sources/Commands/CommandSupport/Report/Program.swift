/// Program in whose name commands report, and whose users read what went wrong.
///
/// A value that each program gives itself, and no list of all programs: to explain the errors of another one would link
/// what throws them.
package struct Program: Sendable {
    /// Version that `--version` of every program prints, defined nowhere else.
    package static let version = "0.2.0-unreleased"

    /// Name of the program on the command line, which stands before a failure on standard error.
    package let name: String
    private let explanation: @Sendable (any Error) -> CommandFailure

    /// Program with a name, and with the `explanation` of the errors that its commands throw.
    ///
    /// A ``CommandFailure`` is explained already and never passed to it.
    package init(name: String, explanation: @escaping @Sendable (any Error) -> CommandFailure) {
        self.name = name
        self.explanation = explanation
    }

    func failure(_ error: any Error) -> CommandFailure {
        if let failure = error as? CommandFailure { return failure }
        return explanation(error)
    }
}
