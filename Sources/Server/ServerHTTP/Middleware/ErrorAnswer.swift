import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// Writes refusals as the error body of the backend (`code`, `message` and where it happened).
struct ErrorAnswer: Sendable {
    /// The present time as ISO 8601 text in UTC with milliseconds.
    let timestamp: @Sendable () -> String

    /// The answer to a refused request.
    func response(for refusal: RequestRefusal, path: String, traceID: String) -> Response {
        let body = JSONObject([
            "timestamp": .string(timestamp()), "status": .integer(refusal.status.code),
            "error": .string(refusal.status.reasonPhrase), "code": .string(refusal.code),
            "message": .string(refusal.message), "path": .string(path), "traceId": .string(traceID),
        ])
        var headers = refusal.headers
        headers[.contentType] = "application/json"
        return Response(
            status: refusal.status, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: JSONWriter.write(.object(body), escapesMarkup: true))))
    }
}
