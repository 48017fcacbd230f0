import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore

/// Error response of a refused request, in the error body of the backend.
struct ErrorResponse: Sendable {
    /// Milliseconds since 1970 in UTC.
    let now: @Sendable () -> Int64

    func response(for refusal: RequestRefusal, path: String, traceID: String) -> Response {
        let (fields, body) = parts(for: refusal, path: path, traceID: traceID, at: now())
        return Response(status: refusal.status, headers: fields, body: .init(byteBuffer: body))
    }

    func parts(
        for refusal: RequestRefusal, path: String, traceID: String, at time: Int64
    ) -> (fields: HTTPFields, body: ByteBuffer) {
        var body = ErrorBody(
            timestamp: time, status: refusal.status.code, code: refusal.code, message: refusal.message, path: path,
            traceID: traceID)
        body.member = refusal.member
        var headers = refusal.headers
        headers[.contentType] = BackendAPI.MediaType.json.fieldValue
        return (headers, ByteBuffer(bytes: body.body))
    }
}
