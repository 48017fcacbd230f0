import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServerCore
import Testing

@testable import HTTPEngine
@testable import ServerHTTP

@Suite("Connections: requests for another protocol (RFC 9110, 7.8 and 9.3.6)", .timeLimit(.minutes(10)))
struct OtherProtocolTests {
    private static let facets = "GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\n"
    private static let requests = [
        facets + "Connection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        facets + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
        "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
    ]

    @Test("The server goes on with HTTP/1.1, and the connection ends with the answer", arguments: requests)
    func answer(request: String) async throws {
        try await ServerFixture.open().live { port in
            let connection = try await RawConnection.open(port: port)
            connection.sendWithoutWaiting(request + Self.facets + "\r\n")
            let answer = await connection.untilClosed()
            #expect(answer.hasPrefix(request.hasPrefix("GET") ? "HTTP/1.1 200 " : "HTTP/1.1 4"))
            #expect(answer.lowercased().contains("connection: close\r\n"))
            #expect(answer.ranges(of: "HTTP/1.1 ").count == 1)
        }
    }

    @Test("While its answer is made no more is read than the decoder keeps")
    func unread() throws {
        let reads = CountedReads()
        let channel = EmbeddedChannel(handlers: [reads] + ServiceChannel.codec(headerByteCount: 16 * 1_024))
        let gate = RequestGate(requestTime: .seconds(60), idleTime: .seconds(60), origin: ConnectionOrigin(nil))
        try channel.pipeline.syncOperations.addHandler(gate)
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/a"), promise: nil)
        try channel.writeInbound(ByteBuffer(string: Self.requests[0]))
        var count = 0
        while count == reads.count, count < 100 {
            _ = try? channel.writeInbound(ByteBuffer(repeating: 0, count: 10_000))
            channel.read()
            count += 1
        }
        #expect(count == 7, "64 KiB, and nothing is read behind them")
        try channel.writeOutbound(
            HTTPServerResponsePart.head(
                HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }
}
