import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import HTTPEngine

@Suite("Connections: the octets of an answer leave together")
struct AnswerGatheringTests {
    private let channel = EmbeddedChannel(handler: AnswerGathering())

    private func octets(_ count: Int, of character: Unicode.Scalar = "x") -> ByteBuffer {
        ByteBuffer(repeating: UInt8(ascii: character), count: count)
    }

    /// What has left, in its pieces.
    private func pieces() throws -> [ByteBuffer] {
        var pieces: [ByteBuffer] = []
        while let piece = try channel.readOutbound(as: ByteBuffer.self) { pieces.append(piece) }
        return pieces
    }

    @Test("What is written before a flush is one piece, and nothing leaves earlier")
    func onePiece() throws {
        for text in ["head,", "body,", "end"] { channel.write(ByteBuffer(string: text), promise: nil) }
        #expect(try pieces().isEmpty)
        channel.flush()
        #expect(try pieces() == [ByteBuffer(string: "head,body,end")])
        channel.flush()
        #expect(try pieces().isEmpty)
    }

    @Test("An answer of the encoder, head and body, is one piece")
    func encoded() throws {
        try channel.pipeline.syncOperations.addHandler(HTTPResponseEncoder())
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "4"])
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: "body"))), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
        #expect(try pieces() == [ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")])
    }

    @Test("A piece has no more octets than a record of TLS, and longer ones stay whole")
    func bound() throws {
        let sizes = [AnswerGathering.byteLimit - 1, 1, 1, 3 * AnswerGathering.byteLimit, 5]
        for size in sizes { channel.write(octets(size), promise: nil) }
        channel.flush()
        #expect(
            try pieces().map(\.readableBytes)
                == [AnswerGathering.byteLimit, 1, 3 * AnswerGathering.byteLimit, 5])
    }

    @Test("Who waits for a write hears of it when all before it is written, also for one without octets")
    func promises() throws {
        for last in [octets(3, of: "b"), ByteBuffer()] {
            let promise = channel.eventLoop.makePromise(of: Void.self)
            let isWritten = Mutex(false)
            promise.futureResult.whenSuccess { isWritten.withLock { $0 = true } }
            channel.write(octets(2, of: "a"), promise: nil)
            channel.write(last, promise: promise)
            #expect(!isWritten.withLock { $0 })
            channel.flush()
            #expect(isWritten.withLock { $0 })
            var expected = octets(2, of: "a")
            expected.writeImmutableBuffer(last)
            #expect(try pieces() == [expected])
        }
    }
}
