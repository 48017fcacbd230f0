import BackendAPI
package import HTTPEngine
package import HTTPTypes
package import Hummingbird
import NIOCore

extension RequestRefusal {
    /// Chunks, trailers or the end of the body are not what HTTP/1.1 asks for.
    static let malformedFraming = RequestRefusal(
        .badRequest, .malformedRequest, "The request is not well-formed HTTP/1.1."
    ).ending
    /// The length of the body is given in two ways, which proxies and servers read differently.
    static let ambiguousLength = RequestRefusal(
        .badRequest, .malformedRequest, "The length of the body is given in two ways."
    ).ending.naming("Content-Length")
    /// The last transfer coding is not `chunked`, so that the body has no end (RFC 9112, 6.3).
    static let undeterminedLength = RequestRefusal(
        .badRequest, .malformedRequest, "The last transfer coding has to be chunked."
    ).ending.naming("Transfer-Encoding")
    /// The body has a transfer coding before `chunked` (RFC 9112, 6.1).
    static let unknownTransferCoding = RequestRefusal(
        .notImplemented, .malformedRequest, "The only transfer coding of this server is chunked."
    ).ending.naming("Transfer-Encoding")
    static let tooLarge = RequestRefusal(.contentTooLarge, .bodyTooLarge, "The body is too large.").ending
    init(_ fault: RequestFault) {
        switch fault {
        case .malformedRequestLine: self = .malformed("The request line is not well-formed HTTP/1.1.")
        case .malformedHeaderField: self = .malformed("A header field is not well-formed HTTP/1.1.")
        case .malformedHost: self = .malformed("The request has to name one host.").naming("Host")
        case .incompleteHead: self = .malformed("The request ended within its header fields.")
        case .headTooLarge:
            self =
                RequestRefusal(
                    .requestHeaderFieldsTooLarge, .malformedRequest, "The header fields are too large."
                ).ending
        case .headTooSlow:
            self =
                RequestRefusal(.requestTimeout, .requestTimeout, "The header fields took too long to arrive.").ending
        case .malformedFraming: self = .malformedFraming
        case .incompleteBody: self = .malformed("The body ended before its announced end.")
        case .bodyTooSlow:
            self = RequestRefusal(.requestTimeout, .requestTimeout, "The body took too long to arrive.").ending
        }
    }

    private static func malformed(_ message: String) -> RequestRefusal {
        RequestRefusal(.badRequest, .malformedRequest, message).ending
    }

    private var ending: RequestRefusal {
        var refusal = self
        refusal.endsConnection = true
        return refusal
    }
}

extension RequestRefusal: HTTPResponseError {
    /// The refusal as plain text, for listeners without the error body of the backend.
    func response(from request: Request, context: some Hummingbird.RequestContext) -> Response {
        var headers = headers
        headers[.contentType] = "text/plain; charset=UTF-8"
        if endsConnection { headers[.connection] = "close" }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: message + "\n")))
    }
}

extension RequestFault: HTTPResponseError {
    package var status: HTTPResponse.Status { RequestRefusal(self).status }

    /// The refusal as plain text, for listeners without the error body of the backend.
    package func response(from request: Request, context: some Hummingbird.RequestContext) -> Response {
        RequestRefusal(self).response(from: request, context: context)
    }
}
