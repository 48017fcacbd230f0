import BackendAPI
import HTTPTypes
import NIOHTTP1

extension RequestRefusal {
    /// Chunks, trailers or the end of the body are not what HTTP/1.1 asks for.
    static let malformedFraming = RequestRefusal(
        .badRequest, .malformedRequest, "The request is not well-formed HTTP/1.1."
    ).ending
    /// The length of the body is given in two ways, which proxies and servers read differently.
    static let ambiguousLength = RequestRefusal(
        .badRequest, .malformedRequest, "The length of the body is given in two ways."
    ).ending
    /// The last transfer coding is not `chunked`, so that the body has no end (RFC 9112, 6.3).
    static let undeterminedLength = RequestRefusal(
        .badRequest, .malformedRequest, "The last transfer coding has to be chunked."
    ).ending
    /// The body has a transfer coding before `chunked` (RFC 9112, 6.1).
    static let unknownTransferCoding = RequestRefusal(
        .notImplemented, .malformedRequest, "The only transfer coding of this server is chunked."
    ).ending
    /// The client has gone, or has stopped sending, before the body was complete.
    static let incomplete = RequestRefusal(
        .badRequest, .malformedRequest, "The body ended before its announced end."
    ).ending
    /// The body is longer than any service takes.
    static let tooLarge = RequestRefusal(.contentTooLarge, .bodyTooLarge, "The body is too large.").ending
    /// The request did not arrive in time.
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

    private var ending: RequestRefusal {
        var refusal = self
        refusal.endsConnection = true
        return refusal
    }
}
