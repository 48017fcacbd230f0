import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore

/// One request that has passed the door: its types are negotiated and its body is complete.
struct Exchange: Sendable {
    /// The service that was called.
    let endpoint: Endpoint
    /// The request's head.
    let request: Request
    /// What else is known about it.
    let context: BackendRequestContext
    /// The body, empty for a service that takes none.
    let body: [UInt8]
    /// The type of the answer.
    let answerType: BackendAPI.MediaType

    /// An answer of the service with HTTP status 200.
    func answer(_ message: some MessageBody, headers: HTTPFields = [:]) -> Response {
        answer(bytes: message.body, headers: headers)
    }

    /// An answer whose body is written already.
    func answer(
        bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = answerType.fieldValue
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
