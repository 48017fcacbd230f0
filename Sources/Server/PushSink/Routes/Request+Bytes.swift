import Hummingbird
import NIOCore
import StrictJSON

extension Request {
    /// The largest body that the sink reads, in bytes.
    private static let bodyByteLimit = 64 * 1024

    /// The whole body; nil when it is too long or breaks off.
    func bytes() async -> [UInt8]? {
        guard let buffer = try? await body.collect(upTo: Self.bodyByteLimit) else { return nil }
        return Array(buffer.readableBytesView)
    }

    /// The body as JSON; nil when it is not.
    func json() async -> JSONValue? {
        guard headers[.contentType]?.hasPrefix("application/json") == true, let bytes = await bytes() else {
            return nil
        }
        return try? JSONParser.parse(bytes, limits: JSONLimits(byteCount: Self.bodyByteLimit, depth: 12))
    }
}
