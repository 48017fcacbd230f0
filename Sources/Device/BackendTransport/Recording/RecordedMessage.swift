/// The text of a request or response as it is recorded: what would let a reader act for the user is masked.
struct RecordedMessage: Sendable {
    private static let mask = "***"
    private static let secretHeaders = ["authorization", "proxy-authorization"]
    private static let cookieHeaders = ["cookie", "set-cookie"]

    /// Start line, header fields, empty line, body.
    let octets: [UInt8]

    init(_ request: BackendRequest) {
        self.init("\(request.method.rawValue) \(request.url) HTTP/1.1", request.headers, request.body)
    }

    init(_ response: BackendResponse) {
        self.init("HTTP/1.1 \(response.status)", response.headers, response.body)
    }

    private init(_ start: String, _ headers: HeaderFields, _ body: [UInt8]) {
        let lines = headers.fields.map { "\($0.name): \(Self.masked($0))" }
        octets =
            Array(([start] + lines).map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8)
            + SecretMembers.masked(body)
    }

    private static func masked(_ field: HeaderFields.Field) -> String {
        let name = field.name.lowercased()
        if secretHeaders.contains(name) {
            // The scheme (Bearer, Basic) tells what was sent and not with which secret.
            let parts = field.value.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? "\(parts[0]) \(mask)" : mask
        }
        guard cookieHeaders.contains(name) else { return field.value }
        return field.value.split(separator: ";", omittingEmptySubsequences: false).enumerated()
            .map { index, part in maskedCookie(part, hasAttributes: name == "set-cookie" && index > 0) }
            .joined(separator: ";")
    }

    /// Names stay, values go; the attributes of a cookie stay whole.
    private static func maskedCookie(_ part: Substring, hasAttributes: Bool) -> String {
        guard !hasAttributes, let equals = part.firstIndex(of: "=") else { return hasAttributes ? String(part) : mask }
        return part[...equals] + mask
    }
}
