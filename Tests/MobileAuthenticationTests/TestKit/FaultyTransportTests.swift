import MobileAuthenticationTestKit
import Synchronization
import Testing

@Suite("A transport that fails when told so")
struct FaultyTransportTests {
    /// Answers every request with "answer", and counts.
    private final class Server: TestTransport {
        private let requests = Mutex(0)

        var requestCount: Int { requests.withLock { $0 } }

        func answer(to request: TestRequest) async throws -> TestResponse {
            requests.withLock { $0 += 1 }
            return TestResponse(status: 200, body: Array("answer".utf8))
        }
    }

    private let request = TestRequest(method: "POST", url: "https://server.example/")

    @Test("Each fault happens once, in order, and then nothing more")
    func order() async throws {
        let server = Server()
        let network = FaultyTransport(over: server)
        network.next(.lostRequest, .lostAnswer, .lateAnswer, .status(503))
        await #expect(throws: TestNetworkError.noConnection) { try await network.answer(to: request) }
        #expect(server.requestCount == 0)
        await #expect(throws: TestNetworkError.noConnection) { try await network.answer(to: request) }
        #expect(server.requestCount == 1)
        await #expect(throws: TestNetworkError.timedOut) { try await network.answer(to: request) }
        #expect(server.requestCount == 2)
        #expect(try await network.answer(to: request).status == 503)
        #expect(server.requestCount == 2)
        #expect(try await network.answer(to: request).body == Array("answer".utf8))
        #expect(network.requests.count == 5)
    }

    @Test("Answers are changed, cut and asked for twice")
    func garbling() async throws {
        let server = Server()
        let network = FaultyTransport(over: server)
        network.next(.changedByte(at: 1), .cut(to: 2), .repeated, .changedByte(at: 99))
        #expect(try await network.answer(to: request).body == Array("aoswer".utf8))
        #expect(try await network.answer(to: request).body == Array("an".utf8))
        #expect(try await network.answer(to: request).body == Array("answer".utf8))
        #expect(server.requestCount == 4)
        #expect(try await network.answer(to: request).body == Array("answer".utf8))
    }
}
