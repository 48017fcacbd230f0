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

    @Test("No answer is told as unreachability")
    func silence() {
        let error = OperationError.NetworkError(cause: URLError(.cannotConnectToHost))
        #expect(!unreachable.isEmpty)
        #expect(CommandFailure(reporting: error).message.contains(unreachable))
    }
}
