import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

extension RequestRefusal {
    /// The request line is not what HTTP/1.1 asks for.
    static let malformedRequestLine = RequestRefusal(
        .badRequest, .malformedRequest, "The request line is not well-formed HTTP/1.1."
    ).ending
    /// A header field is not what HTTP/1.1 asks for: an octet that must not be there, a fold, a blank before the colon.
    static let malformedHeaderField = RequestRefusal(
        .badRequest, .malformedRequest, "A header field is not well-formed HTTP/1.1."
    ).ending
    /// The host is missing, given twice or no host (RFC 9112, 3.2).
    static let malformedHost = RequestRefusal(
        .badRequest, .malformedRequest, "The request has to name one host."
    ).ending.naming("Host")
    /// The client has gone before the head was complete.
    static let incompleteHead = RequestRefusal(
        .badRequest, .malformedRequest, "The request ended within its header fields."
    ).ending
    /// Request line and header fields are longer, or more, than any service takes (RFC 6585, 5).
    static let headTooLarge = RequestRefusal(
        .requestHeaderFieldsTooLarge, .malformedRequest, "The header fields are too large."
    ).ending
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
    /// The client has gone, or has stopped sending, before the body was complete.
    static let incomplete = RequestRefusal(
        .badRequest, .malformedRequest, "The body ended before its announced end."
    ).ending
    /// The body is longer than any service takes.
    static let tooLarge = RequestRefusal(.contentTooLarge, .bodyTooLarge, "The body is too large.").ending
    /// Request line and header fields did not arrive in time (RFC 9110, 15.5.9).
    static let headTooSlow = RequestRefusal(
        .requestTimeout, .requestTimeout, "The header fields took too long to arrive."
    ).ending
    /// The body did not arrive in time.
    static let tooSlow = RequestRefusal(
        .requestTimeout, .requestTimeout, "The body took too long to arrive."
    ).ending

    /// The refusal for a fault of the connection or of what arrives on it in the middle of a body.
    init(connectionError error: any Error) {
        switch error {
        case let refusal as RequestRefusal: self = refusal
        case HTTPParserError.invalidEOFState: self = .incomplete
        case is HTTPParserError: self = .malformedFraming
        default: self = .incomplete
        }
    }

    /// The refusal for a head that cannot be read.
    init(headError error: HTTPParserError) {
        switch error {
        case .headerOverflow: self = .headTooLarge
        case .invalidEOFState: self = .incompleteHead
        case .invalidMethod, .invalidURL, .invalidVersion: self = .malformedRequestLine
        case .invalidHeaderToken: self = .malformedHeaderField
        default: self = .malformedFraming
        }
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
