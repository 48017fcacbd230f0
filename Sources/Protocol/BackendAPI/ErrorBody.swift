import StrictJSON

/// Body of every response of a proprietary service whose status is not 2xx.
///
/// A client decides on the HTTP status and on ``code``; the rest is for diagnosis. The codes: `docs/web/http-api.md`.
public struct ErrorBody: MessageBody {
    /// Time of the response, ISO 8601 in UTC with milliseconds.
    public let timestamp: String?
    /// The HTTP status, again.
    public let status: Int
    /// The reason phrase of the status.
    public let error: String?
    /// Stable identifier of the error.
    public let code: ErrorCode?
    /// Human-readable message; never anything that came from outside.
    public let message: String?
    /// The path of the request.
    public let path: String?
    /// Trace identifier in the server's log entries for this request.
    public let traceID: String?
    /// Path of the member of the body, or name of the field of a form, a query or the header, that is missing or wrong;
    /// nil when it is none of ours, or the request as a whole.
    ///
    /// Never a value.
    public var member: String?

    /// Describes an error.
    ///
    /// `timestamp` counts milliseconds since 1970 in UTC; ``member`` is nil.
    public init(
        timestamp: Int64, status: Int, code: ErrorCode, message: String? = nil, path: String? = nil,
        traceID: String? = nil
    ) {
        self.init(
            timestampText: CivilTime.text(millisecondsSince1970: timestamp), status: status,
            error: Self.reasonPhrases[status], code: code, message: message, path: path, traceID: traceID, member: nil)
    }

    init(
        timestampText: String?, status: Int, error: String?, code: ErrorCode?, message: String?, path: String?,
        traceID: String?, member: String?
    ) {
        timestamp = timestampText
        self.status = status
        self.error = error
        self.code = code
        self.message = message
        self.path = path
        self.traceID = traceID
        self.member = member
    }

    private static let reasonPhrases = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
        415: "Unsupported Media Type", 422: "Unprocessable Entity", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 503: "Service Unavailable",
    ]
}

extension ErrorBody: StrictBody {
    /// The text of the document; characters that a browser could take for markup are escaped.
    public var body: [UInt8] { JSONWriter.write(json, escapesMarkup: true) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            timestampText: try members.optionalString("timestamp"),
            status: try members.integer("status"),
            error: try members.optionalString("error"),
            code: try members.optionalString("code").map(ErrorCode.init(rawValue:)),
            message: try members.optionalString("message"),
            path: try members.optionalString("path"),
            traceID: try members.optionalString("traceId"), member: try members.optionalString("member"))
    }

    var json: JSONValue {
        .object([
            "timestamp": timestamp.map(JSONValue.string),
            "status": .integer(status),
            "error": error.map(JSONValue.string),
            "code": (code?.rawValue).map(JSONValue.string),
            "message": message.map(JSONValue.string),
            "path": path.map(JSONValue.string),
            "traceId": traceID.map(JSONValue.string),
            "member": member.map(JSONValue.string),
        ])
    }
}
