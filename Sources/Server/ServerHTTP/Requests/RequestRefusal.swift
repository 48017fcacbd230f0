import HTTPTypes

/// A request that ends before it reaches a service, or a service's answer that has no envelope of its own.
struct RequestRefusal: Error, Hashable, Sendable {
    /// Status of the answer.
    let status: HTTPResponse.Status
    /// Stable word for programs, such as `unsupportedMediaType`.
    let code: String
    /// Sentence for people; the same for every client that meets this refusal.
    let message: String
    /// Headers that belong to the refusal.
    var headers: HTTPFields = [:]
    /// Whether part of the body is unread, so that the connection cannot be used again.
    var endsConnection = false

    private init(_ status: HTTPResponse.Status, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static let malformed = RequestRefusal(
        .badRequest, "malformedRequest", "The body is not what this service expects.")
    static let ambiguousLength = RequestRefusal(
        .badRequest, "ambiguousLength", "The length of the body is given in two ways.")
    static let encodedBody = RequestRefusal(
        .badRequest, "encodedBody", "Bodies with a content encoding are not accepted.")
    static let notFound = RequestRefusal(.notFound, "notFound", "There is no such service.")
    static let notAcceptable = RequestRefusal(
        .notAcceptable, "notAcceptable", "The Accept header excludes what this service sends.")
    static let unsupportedMediaType = RequestRefusal(
        .unsupportedMediaType, "unsupportedMediaType", "This service takes another Content-Type.")
    static let foreignOrigin = RequestRefusal(
        .forbidden, "foreignOrigin", "A page of another origin must not send this request.")
    static let forbidden = RequestRefusal(.forbidden, "forbidden", "This is not allowed.")
    static let failed = RequestRefusal(.internalServerError, "internalError", "The server could not do this.")

    static let tooLarge = RequestRefusal(.contentTooLarge, "bodyTooLarge", "The body is too large.").ending
    static let tooSlow = RequestRefusal(.requestTimeout, "bodyTooSlow", "The body took too long to arrive.").ending

    static func methodNotAllowed(allow: [HTTPRequest.Method]) -> RequestRefusal {
        var refusal = RequestRefusal(
            .methodNotAllowed, "methodNotAllowed", "This service takes another method.")
        refusal.headers[.allow] = allow.map(\.rawValue).joined(separator: ", ")
        return refusal
    }

    /// Authorization is missing or not valid; both look the same from outside.
    static let unauthorized: RequestRefusal = {
        var refusal = RequestRefusal(.unauthorized, "unauthorized", "A valid authorization is needed.")
        refusal.headers[.wwwAuthenticate] = "Bearer realm=\"signet\""
        return refusal
    }()

    static func tooManyRequests(retryAfterSeconds: Int) -> RequestRefusal {
        var refusal = RequestRefusal(.tooManyRequests, "tooManyRequests", "Too many requests; try again later.")
        refusal.headers[.retryAfter] = String(retryAfterSeconds)
        return refusal
    }

    private var ending: RequestRefusal {
        var refusal = self
        refusal.endsConnection = true
        return refusal
    }
}
