import HTTPTypes
import Hummingbird
import NIOCore
import ServerCore

extension Request {
    /// The whole body, or a refusal when it is too large, too slow, encoded or of doubtful length.
    func boundedBody(
        _ limits: RequestLimits, within deadlines: BodyDeadlines, from channel: any Channel
    ) async throws -> [UInt8] {
        if headers[.transferEncoding] != nil && headers[.contentLength] != nil { throw RequestRefusal.ambiguousLength }
        if let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw RequestRefusal.encodedBody
        }
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyByteCount {
            throw RequestRefusal.tooLarge
        }
        let body = self.body
        return try await deadlines.limited(channel) {
            try await Self.collect(body, upTo: limits.bodyByteCount)
        }
    }

    private static func collect(_ body: RequestBody, upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await part in body {
            guard bytes.count + part.readableBytes <= limit else { throw RequestRefusal.tooLarge }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }
}
