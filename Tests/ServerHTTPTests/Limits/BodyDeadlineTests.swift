import AsyncHTTPClient
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOHTTP1
import ServerCore
import Testing

@testable import ServerHTTP

@Suite("Limits: time for a body")
struct BodyDeadlineTests {
    /// Long enough for a body that is sent at once, also on a busy machine; short enough to wait for.
    private static let time: Duration = .seconds(5)
    private static let path = "/nevisfido/uaf/1.1/request/authentication"
    private static let question = #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#

    @Test("A body that stops on its way is answered with 408, and others on the listener are not")
    func stalled() async throws {
        var limits = RequestLimits()
        limits.bodyTime = Self.time
        let fixture = try await ServerFixture.open(limits: limits)
        let statuses = try await fixture.application.test(.live) { server in
            guard let port = server.port else { return [UInt]() }
            let address = "http://localhost:\(port)\(Self.path)"
            let early = try await Self.status(of: address, sending: Self.question.utf8.count)
            let stalled = try await Self.status(of: address, sending: 3)
            return [early, stalled, try await Self.status(of: address, sending: Self.question.utf8.count)]
        }
        #expect(statuses == [200, 408, 200])
    }

    /// Announces the whole question, sends the first octets of it and waits for the answer.
    private static func status(of address: String, sending count: Int) async throws -> UInt {
        var request = HTTPClientRequest(url: address)
        request.method = .POST
        request.headers = ["Content-Type": ServiceClient.uaf, "Accept": "application/fido+uaf"]
        let (parts, continuation) = AsyncStream<ByteBuffer>.makeStream()
        continuation.yield(ByteBuffer(string: String(question.prefix(count))))
        if count == question.utf8.count { continuation.finish() }
        request.body = .stream(parts, length: .known(Int64(question.utf8.count)))
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let answer = try? await client.execute(request, timeout: .minutes(5))
        let status = answer?.status.code
        continuation.finish()
        try await client.shutdown()
        return status ?? 0
    }
}
