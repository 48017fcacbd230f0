import BackendAPI
import HTTPTypes

/// A request that ends with an HTTP status instead of an answer of the service.
struct RequestRefusal: Error, Hashable, Sendable {
    let status: HTTPResponse.Status
    let code: ErrorCode
    /// Sentence for people; the same for all clients with this refusal.
    let message: String
    /// Path of the member, or name of the field, that is missing or wrong, by the name that the service has for it; nil where
    /// it is the request as a whole.
    private(set) var member: String?
    var headers: HTTPFields = [:]
    /// Whether what follows on the connection cannot be relied upon, so that it ends with the answer.
    var endsConnection = false

    init(_ status: HTTPResponse.Status, _ code: ErrorCode, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static let malformed = RequestRefusal(
        .badRequest, .malformedRequest, "The body is not what this service expects.")
    /// The body is compressed; unpacking what strangers send invites bombs.
    static let encodedBody = RequestRefusal(
        .badRequest, .malformedRequest, "Bodies with a content encoding are not accepted."
    ).naming("Content-Encoding")
    /// A member of the body is missing or wrong; `path` leads to it, outermost first.
    ///
    /// The names are the service's own; a name that could be the client's is not repeated.
    static func malformed(member path: [String]) -> RequestRefusal {
        let isOurs = path.allSatisfy { (1...40).contains($0.utf8.count) && $0.utf8.allSatisfy(isNameOctet) }
        guard isOurs, !path.isEmpty else { return .malformed }
        let member = path.joined(separator: ".")
        return RequestRefusal(
            .badRequest, .malformedRequest, "The member \(member) is missing or is not what this service expects."
        ).naming(member)
    }

    /// The same refusal, with the name of what is missing or wrong; one of ours, never one that came from outside.
    func naming(_ member: String) -> RequestRefusal {
        var named = self
        named.member = member
        return named
    }

    /// The body is no acceptable JSON from an octet on, counted from zero.
    static func malformed(atOffset offset: Int) -> RequestRefusal {
        RequestRefusal(.badRequest, .malformedRequest, "The body is not acceptable JSON from byte \(offset) on.")
    }

    /// A parameter of the address is missing or wrong; a name that could be no parameter's is not repeated.
    static func malformed(parameter name: String) -> RequestRefusal {
        guard (1...40).contains(name.utf8.count), name.utf8.allSatisfy(isNameOctet) else {
            return RequestRefusal(
                .badRequest, .malformedRequest, "The query of the address is not what this service expects.")
        }
        return RequestRefusal(
            .badRequest, .malformedRequest,
            "The parameter \(name) of the address is missing or is not what this service expects."
        ).naming(name)
    }

    private static func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    static let notFound = RequestRefusal(.notFound, .notFound, "There is no such service.")
    static let notAcceptable = RequestRefusal(
        .notAcceptable, .notAcceptable, "The Accept header excludes what this service sends."
    ).naming("Accept")
    static let unsupportedMediaType = RequestRefusal(
        .unsupportedMediaType, .unsupportedMediaType, "This service takes another Content-Type."
    ).naming("Content-Type")
    /// A cookie comes with a page of another site.
    static let foreignOrigin = RequestRefusal(
        .forbidden, .forbidden, "A page of another origin must not send this request."
    ).naming("Origin")
    /// A logout with a token, which only its expiry or an administrator ends.
    static let tokenLogout = RequestRefusal(
        .badRequest, .malformedRequest, "A token cannot be logged out; it ends when it expires.")
    static let forbidden = RequestRefusal(.forbidden, .forbidden, "This is not allowed.")
    static let failed = RequestRefusal(.internalServerError, .internalError, "The server could not do this.")
    /// Something that the server stands on does not answer.
    static let unavailable: RequestRefusal = {
        var refusal = RequestRefusal(
            .serviceUnavailable, .unavailable, "The server cannot do this at the moment.")
        refusal.headers[.retryAfter] = "5"
        return refusal
    }()

    static func methodNotAllowed(allow: [HTTPRequest.Method]) -> RequestRefusal {
        var refusal = RequestRefusal(
            .methodNotAllowed, .methodNotAllowed, "This service takes another method.")
        refusal.headers[.allow] = allow.map(\.rawValue).joined(separator: ", ")
        return refusal
    }

    /// Authorization is missing or not valid; both look the same from outside.
    static let unauthorized: RequestRefusal = {
        var refusal = RequestRefusal(.unauthorized, .unauthorized, "A valid authorization is needed.")
        refusal.headers[.wwwAuthenticate] = "Bearer realm=\"signet\""
        return refusal
    }()

    static func tooManyRequests(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(
            .tooManyRequests, .tooManyRequests, "Too many requests; try again later.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }

    /// More is asked for at this moment than the server can do; nothing was done, and nothing of it will be.
    static func overloaded(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(
            .serviceUnavailable, .overloaded, "The server has too much to do; nothing was done. Try again later.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }
}

extension RequestRefusal {
    /// The refusal that a fault of body or header fields leads to where the answer has no envelope.
    ///
    /// The certification tool's routes take a text that is not UTF-8 for a malformed one.
    init(_ error: BackendAPIError, at endpoint: Endpoint) {
        switch error {
        case .unsupportedCharset where [.conformanceGet, .conformanceRespond].contains(endpoint): self = .malformed
        case .unsupportedMediaType, .unsupportedCharset: self = .unsupportedMediaType
        case .notAcceptable: self = .notAcceptable
        case .invalidMember(let path): self = .malformed(member: path)
        case .unreadableContext(let path): self = .malformed(member: ["context"] + path)
        case .unexpectedOperation: self = .malformed(member: ["op"])
        case .malformedBody(let offset?): self = .malformed(atOffset: offset)
        case .malformedBody(nil), .malformedForm, .refusedCookie: self = .malformed
        }
    }
}
