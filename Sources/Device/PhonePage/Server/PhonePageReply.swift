import HTTPTypes

/// Answer of the phone page.
struct PhonePageReply: Sendable {
    /// Policy of every document: own style, script and requests, and nothing else; never in a frame.
    static let policy = """
        default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'none'
        """

    let status: HTTPResponse.Status
    let type: String
    let body: [UInt8]
    /// Whole value of `Set-Cookie`, which only the first page has; nil for none.
    private let cookieField: (@Sendable () -> String)?

    init(
        _ status: HTTPResponse.Status, _ type: String, _ body: some Collection<UInt8>,
        cookieField: (@Sendable () -> String)? = nil
    ) {
        self.status = status
        self.type = type
        self.body = Array(body)
        self.cookieField = cookieField
    }

    static let done = PhonePageReply(.noContent, "text/plain; charset=utf-8", [UInt8]())
    /// Refusal of the guards, which does not say which one.
    static let forbidden = PhonePageReply(
        .forbidden, "text/plain; charset=utf-8",
        "Open the address that signet phone has printed, once, in this browser.\n".utf8)

    static func refused(_ refusal: PhonePageRefusal) -> PhonePageReply {
        let status: HTTPResponse.Status =
            switch refusal {
            case .notNow: .conflict
            case .malformed, .noCode: .badRequest
            case .tooLarge: .contentTooLarge
            }
        return PhonePageReply(status, "application/json", "{\"error\":\"\(refusal.rawValue)\"}".utf8)
    }

    var head: HTTPResponse {
        var fields: HTTPFields = [
            .contentType: type, .cacheControl: "no-store", .contentSecurityPolicy: Self.policy,
            .crossOriginResourcePolicy: "same-origin", .xContentTypeOptions: "nosniff", .connection: "close",
        ]
        let others = [
            "Cross-Origin-Opener-Policy": "same-origin", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
        ]
        for (name, value) in others { HTTPField.Name(name).map { fields[$0] = value } }
        if status != .noContent { fields[.contentLength] = String(body.count) }
        if let cookieField {
            fields[.setCookie] = cookieField()
            // The origin is new, but another listener may have guessed it and left something in the browser.
            HTTPField.Name("Clear-Site-Data").map { fields[$0] = #""cache", "storage""# }
        }
        return HTTPResponse(status: status, headerFields: fields)
    }
}
