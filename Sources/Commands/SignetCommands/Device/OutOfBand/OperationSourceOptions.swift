import ArgumentParser
import MobileAuthentication

/// Which operation a command answers: one that waits at a server, or one that came in another way.
struct OperationSourceOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            """
            A file with a push message (signet device listen --out), a picture, a text, or - for standard input; without \
            it the servers are asked what waits for this phone.
            """, valueName: "SOURCE"))
    var source: String?

    @Option(help: ArgumentHelp("Which of several that wait (signet device pending).", valueName: "N"))
    var number: Int?

    func validate() throws {
        guard source == nil || number == nil else { throw ValidationError("Give SOURCE or --number, not both.") }
        guard number.map({ $0 > 0 }) ?? true else { throw ValidationError("Operations are numbered from 1.") }
    }

    /// The payload of the operation.
    func payload(for phone: Phone) async throws -> OutOfBandPayload {
        if let source { return try PayloadSource(source).payload(of: phone.client) }
        return try await phone.pendingOperation(number: number).payload
    }
}
