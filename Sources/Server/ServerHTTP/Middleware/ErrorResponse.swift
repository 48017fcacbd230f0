import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore

/// Error response of a refused request, in the error body of the backend.
struct ErrorResponse: Sendable {
    /// Milliseconds since 1970 in UTC.
    let now: @Sendable () -> Int64

    /// The answer to a refused request.
    func response(for refusal: RequestRefusal, path: String, traceID: String) -> Response {
        var body = ErrorBody(
            timestamp: now(), status: refusal.status.code, code: refusal.code, message: refusal.message, path: path,
            traceID: traceID)
        body.member = refusal.member
        var headers = refusal.headers
        headers[.contentType] = BackendAPI.MediaType.json.fieldValue
        return Response(
            status: refusal.status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body.body)))
    }
}
