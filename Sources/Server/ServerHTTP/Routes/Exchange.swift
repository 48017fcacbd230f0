import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
import ServerCore
import UAF
import UAFService

/// One request that was admitted: its media types are negotiated and its body is complete.
struct Exchange: Sendable {
    let endpoint: Endpoint
    let request: Request
    let context: BackendRequestContext
    /// The body, empty for a service that takes none.
    let body: [UInt8]
    let answerType: BackendAPI.MediaType

    func answer(_ message: some MessageBody, headers: HTTPFields = [:]) -> Response {
        answer(bytes: message.body, headers: headers)
    }

    func answer(
        bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = answerType.fieldValue
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Exchange {
    /// The answer of a request service; its status code goes into the log line.
    func answer(request message: ReturnUAFRequest, headers: HTTPFields = [:]) -> Response {
        context.requestLog.statusCode = Int(message.statusCode.rawValue)
        return answer(message, headers: headers)
    }

    /// The answer of a response service; its status code goes into the log line.
    func answer(_ accepted: AcceptedAnswer, headers: HTTPFields) -> Response {
        context.requestLog.statusCode = Int(accepted.message.statusCode.rawValue)
        return answer(accepted.message, headers: headers)
    }
}

extension Exchange {
    /// Value of the last component of the path, decoded; a component that cannot be decoded is malformed.
    func named() throws(RequestRefusal) -> String {
        guard let component = context.lastComponent, let name = PathComponent.decode(String(component))
        else { throw .malformed }
        return name
    }

    /// The name that the client has given to the exchange; nil without one, or with one of another form.
    var id: ServerBinding.ExchangeID? {
        HTTPField.Name(Endpoint.exchangeField).flatMap { request.headers[$0] }
            .flatMap(ServerBinding.ExchangeID.init(base64URL:))
    }

    func signedBody() throws(RequestRefusal) -> String {
        guard let text = String(validating: body, as: UTF8.self), !text.isEmpty else { throw .malformed }
        return text
    }

    /// The compact JWS of a request without a body.
    func deviceSignature() throws(RequestRefusal) -> String {
        guard let name = HTTPField.Name(Endpoint.deviceSignatureField), let token = request.headers[name] else {
            throw .unsigned
        }
        return token
    }

    var empty: Response { Response(status: .noContent) }
}
