import BackendAPI
import HTTPTypes

/// A request that ends with an HTTP status instead of an answer of the service.
struct RequestRefusal: Error, Hashable, Sendable {
    /// Status of the answer.
    let status: HTTPResponse.Status
    /// What clients and operators look at.
    let code: ErrorCode
    /// Sentence for people; the same for everybody who meets this refusal.
    let message: String
    /// Headers that belong to the refusal.
    var headers: HTTPFields = [:]
    /// Whether part of the body is unread, so that the connection cannot be used again.
    var endsConnection = false

    init(_ status: HTTPResponse.Status, _ code: ErrorCode, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    /// The body or its form is not what the service takes.
    static let malformed = RequestRefusal(
        .badRequest, .malformedRequest, "The body is not what this service expects.")
    /// The length of the body is given in two ways, which proxies and servers read differently.
    static let ambiguousLength = RequestRefusal(
        .badRequest, .malformedRequest, "The length of the body is given in two ways.")
    /// The body is compressed; unpacking what strangers send invites bombs.
    static let encodedBody = RequestRefusal(
        .badRequest, .malformedRequest, "Bodies with a content encoding are not accepted.")
    /// Nothing is at this path.
    static let notFound = RequestRefusal(.notFound, .notFound, "There is no such service.")
    /// The client does not take what the service sends.
    static let notAcceptable = RequestRefusal(
        .notAcceptable, .notAcceptable, "The Accept header excludes what this service sends.")
    /// The service does not take what the client sends.
    static let unsupportedMediaType = RequestRefusal(
        .unsupportedMediaType, .unsupportedMediaType, "This service takes another Content-Type.")
    /// A cookie comes with a page of another site.
    static let foreignOrigin = RequestRefusal(
        .forbidden, .forbidden, "A page of another origin must not send this request.")
    /// The user may not do this.
    static let forbidden = RequestRefusal(.forbidden, .forbidden, "This is not allowed.")
    /// Something failed that should not.
    static let failed = RequestRefusal(.internalServerError, .internalError, "The server could not do this.")
    /// Something that the server stands on does not answer.
    static let unavailable: RequestRefusal = {
        var refusal = RequestRefusal(
            .serviceUnavailable, .unavailable, "The server cannot do this at the moment.")
        refusal.headers[.retryAfter] = "5"
        return refusal
    }()

    /// The body is longer than any service takes.
    static let tooLarge = RequestRefusal(.contentTooLarge, .bodyTooLarge, "The body is too large.").ending
    /// The body did not arrive in time.
    static let tooSlow = RequestRefusal(
        .requestTimeout, .requestTimeout, "The body took too long to arrive."
    ).ending

    /// The path takes other methods.
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

    /// The client or the user has used up what it may.
    static func tooManyRequests(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(
            .tooManyRequests, .tooManyRequests, "Too many requests; try again later.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }

    /// More is asked for at this moment than the server can do.
    static func overloaded(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = unavailable
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }

    private var ending: RequestRefusal {
        var refusal = self
        refusal.endsConnection = true
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
        default: self = .malformed
        }
    }
}
