/// The body of every answer of a proprietary service whose status is not 2xx (`backend-http-api` 0.4).
///
/// A client decides on the HTTP status and on ``code``; the rest is for people who diagnose.
public struct ErrorBody: MessageBody {
    /// When the error was answered, ISO 8601 in UTC with milliseconds.
    public let timestamp: String?
    /// The HTTP status, again.
    public let status: Int
    /// The reason phrase of the status.
    public let error: String?
    /// What went wrong, a stable identifier.
    public let code: ErrorCode?
    /// A sentence for people; never anything that came from outside.
    public let message: String?
    /// The path of the request.
    public let path: String?
    /// What the server's log entries for this request carry.
    public let traceID: String?

    /// Describes an error.
    ///
    /// `timestamp` counts milliseconds since 1970 in UTC.
    public init(
        timestamp: Int64, status: Int, code: ErrorCode, message: String? = nil, path: String? = nil,
        traceID: String? = nil
    ) {
        self.init(
            timestampText: CivilTime.text(millisecondsSince1970: timestamp), status: status,
            error: Self.reasonPhrases[status], code: code, message: message, path: path, traceID: traceID)
    }

    init(
        timestampText: String?, status: Int, error: String?, code: ErrorCode?, message: String?, path: String?,
        traceID: String?
    ) {
        timestamp = timestampText
        self.status = status
        self.error = error
        self.code = code
        self.message = message
        self.path = path
        self.traceID = traceID
    }

    private static let reasonPhrases = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
        415: "Unsupported Media Type", 422: "Unprocessable Entity", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 503: "Service Unavailable",
    ]
}
