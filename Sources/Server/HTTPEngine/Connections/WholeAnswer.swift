package import HTTPTypes
import HummingbirdCore
package import NIOCore
import NIOHTTP1

/// Answer as it is written: its head, all of its body, and its trailer fields.
package struct WholeAnswer: Sendable {
    var head: HTTPResponseHead
    package var body: ByteBuffer
    let trailers: HTTPHeaders?

    /// An answer whose body is there; its head names the length.
    package init(status: HTTPResponse.Status, fields: HTTPFields, body: ByteBuffer) {
        var fields = fields
        fields[.contentLength] = String(body.readableBytes)
        head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status.code), headers: Self.headers(fields))
        self.body = body
        trailers = nil
    }

    init?(_ response: Response) async {
        let pieces = Pieces()
        guard (try? await response.body.write(PiecesWriter(pieces: pieces))) != nil else { return nil }
        head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.status.code),
            headers: Self.headers(response.headers))
        body = pieces.octets
        trailers = pieces.trailers.map { Self.headers($0) }
    }

    package mutating func add(_ value: String, as name: String) { head.headers.add(name: name, value: value) }

    private static func headers(_ fields: HTTPFields) -> HTTPHeaders {
        HTTPHeaders(fields.map { ($0.name.rawName, $0.value) })
    }

    /// Octets and trailer fields that a body has written, in one task.
    private final class Pieces {
        var octets = ByteBuffer()
        var trailers: HTTPFields?
    }

    private struct PiecesWriter: ResponseBodyWriter {
        let pieces: Pieces

        mutating func write(_ buffer: ByteBuffer) async throws {
            if pieces.octets.readableBytes == 0 {
                pieces.octets = buffer
            } else {
                pieces.octets.writeImmutableBuffer(buffer)
            }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws { pieces.trailers = trailingHeaders }
    }
}
