import BackendTransport
import Testing

@testable import DeviceCommands

@Suite("signet doctor: a server that makes no request")
struct RequestExaminationTests {
    /// Gives every request the same answer, or none.
    private struct OneAnswer: HTTPTransport {
        let response: BackendResponse?

        func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
            guard let response else { throw .timedOut }
            return response
        }
    }

    private static let answers: [(status: Int?, body: String, verdict: DoctorFinding.Verdict, says: String)] = [
        (nil, "", .ill, "does not answer"), (429, "", .weak, "slow down (HTTP 429)"),
        (503, "", .ill, "no request now (HTTP 503)"), (500, "", .ill, "no request now (HTTP 500)"),
        (404, "", .ill, "get no request from it (HTTP 404"), (200, "<html>", .ill, "are not FIDO UAF"),
        (200, #"{"statusCode":1500}"#, .weak, "UAF status 1500"),
        (200, #"{"statusCode":1200,"uafRequest":"[]","op":"Auth"}"#, .ill, "cannot read its request"),
    ]

    @Test("O-M5: why phones get no request is told apart, each with what helps", arguments: answers)
    func reasons(status: Int?, body: String, verdict: DoctorFinding.Verdict, says: String) async {
        let response = status.map { BackendResponse(status: $0, headers: [], body: Array(body.utf8), connection: nil) }
        let examination = RequestExamination(
            base: "https://a.example", transport: OneAnswer(response: response), patience: .seconds(1))
        guard case .finding(let finding) = await examination.outcome() else {
            Issue.record("a request came of it")
            return
        }
        #expect(finding.name == "request" && finding.verdict == verdict && finding.advice != nil)
        #expect(finding.observation.contains(says), "\(finding.text)")
    }
}
