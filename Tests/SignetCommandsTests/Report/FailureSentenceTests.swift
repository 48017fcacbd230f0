import MobileAuthentication
import Testing

@testable import SignetCommands

@Suite("What a person at the terminal reads about a failure is true")
struct FailureSentenceTests {
    private let unreachable = OperationError.NetworkError(cause: nil).errorDescription ?? ""

    @Test("An answer with an HTTP error status is told as an answer", arguments: [401, 404, 503])
    func answer(status: Int) {
        let error = OperationError.NetworkError(cause: HTTPStatusError(statusCode: status, body: []))
        let message = CommandFailure(reporting: error).message
        #expect(!message.contains(unreachable))
        #expect(message.contains(String(status)))
    }

    @Test("O-M9: a token that was used or is too old is a refusal, exit code 1; a broken payload is not")
    func tokens() {
        let refusals: [OutOfBandOperationError] = [.TokenAlreadyRedeemed(cause: nil), .TokenExpired(cause: nil)]
        for error in refusals { #expect(CommandFailure(reporting: error).kind.rawValue == 1) }
        #expect(CommandFailure(reporting: OutOfBandOperationError.MalformedPayload(cause: nil)).kind.rawValue == 2)
        #expect(CommandFailure(reporting: OutOfBandOperationError.NetworkError(cause: nil)).kind.rawValue == 2)
    }

    @Test("No answer is told as unreachability")
    func silence() {
        let error = OperationError.NetworkError(cause: URLError(.cannotConnectToHost))
        #expect(!unreachable.isEmpty)
        #expect(CommandFailure(reporting: error).message.contains(unreachable))
    }
}
