import HTTPTypes
import Hummingbird
import NIOCore
import ServerCore

extension Request {
    /// The whole body, or a refusal when it is too large or encoded; ``RequestGate`` sees to its time.
    func boundedBody(_ limits: RequestLimits) async throws -> [UInt8] {
        if let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw RequestRefusal.encodedBody
        }
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyByteCount {
            throw RequestRefusal.tooLarge
        }
        var bytes: [UInt8] = []
        for try await part in body {
            guard bytes.count + part.readableBytes <= limits.bodyByteCount else { throw RequestRefusal.tooLarge }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }
}
