/// Errors of a body, a header field or a cookie that violates the HTTP interface.
///
/// No case carries text that came from outside; member paths name members of our own interface and array positions.
///
/// ```swift
/// do {
///     judge(try SendUAFResponse(body: body))
/// } catch {
///     respond(error.answer)  // Status 200 with a code of UAF, or an HTTP error.
/// }
/// ```
@nonexhaustive
public enum BackendAPIError: Error, Hashable, Sendable {
    /// The body is not acceptable JSON: `offset` in bytes where reading stopped, nil when the whole text is at fault.
    case malformedBody(offset: Int?)
    /// A member of the body is missing, of another type or out of range; `path` leads to it, outermost first.
    case invalidMember(path: [String])
    /// The `op` member is not the operation of the service that was called.
    case unexpectedOperation
    /// The `context` member is missing, holds no acceptable JSON, or lacks what the operation needs; `path` leads to
    /// the member of the context that is at fault and is empty when the whole context is.
    case unreadableContext(path: [String])
    /// A form is not `application/x-www-form-urlencoded`, or a field is missing, repeated or not text.
    case malformedForm
    /// The content type is missing, malformed or none that the service takes.
    case unsupportedMediaType
    /// The content type is right but its charset is not UTF-8.
    case unsupportedCharset
    /// None of the types the service answers with is acceptable to the client.
    case notAcceptable
    /// A `Set-Cookie` value holds control characters, is too long, or names no cookie.
    case refusedCookie
}

extension BackendAPIError {
    /// Response of a server to a request that was refused.
    public enum Answer: Hashable, Sendable {
        /// An HTTP status with an error body.
        case http(status: Int)
        /// HTTP status 200 with a transport dictionary that carries this UAF status code (1.3).
        case uaf(statusCode: Int)
    }

    /// The answer that this refusal gets on a service that speaks UAF.
    ///
    /// A body that is no dictionary is an HTTP error; a dictionary whose operation or context is wrong is a UAF one.
    public var answer: Answer {
        switch self {
        case .malformedBody, .invalidMember, .malformedForm, .refusedCookie: .http(status: 400)
        case .unexpectedOperation, .unreadableContext: .uaf(statusCode: 1400)
        case .unsupportedMediaType, .unsupportedCharset: .http(status: 415)
        case .notAcceptable: .http(status: 406)
        }
    }
}
