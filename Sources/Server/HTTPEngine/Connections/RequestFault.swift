import NIOHTTP1

/// Fault in the form or the arrival of a request, with which its connection ends.
package enum RequestFault: Error, Hashable, Sendable {
    case malformedRequestLine
    /// A header field is not what HTTP/1.1 asks for: a forbidden octet, a fold, a blank before the colon.
    case malformedHeaderField
    /// The host is missing, given twice or no host (RFC 9112, 3.2).
    case malformedHost
    /// The client has gone before the head was complete.
    case incompleteHead
    /// Request line and header fields are longer, or more, than any service takes (RFC 6585, 5).
    case headTooLarge
    /// Request line and header fields did not arrive in time (RFC 9110, 15.5.9).
    case headTooSlow
    /// Chunks, trailers or the end of the body are not what HTTP/1.1 asks for.
    case malformedFraming
    /// The client has gone, or has stopped sending, before the body was complete.
    case incompleteBody
    case bodyTooSlow

    init(bodyError error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState: self = .incompleteBody
        case is HTTPParserError: self = .malformedFraming
        default: self = .incompleteBody
        }
    }

    init(headError error: HTTPParserError) {
        switch error {
        case .headerOverflow: self = .headTooLarge
        case .invalidEOFState: self = .incompleteHead
        case .invalidMethod, .invalidURL, .invalidVersion: self = .malformedRequestLine
        case .invalidHeaderToken: self = .malformedHeaderField
        default: self = .malformedFraming
        }
    }
}
