import HTTPTypes

/// Request to the phone page, read whole.
struct PhonePageRequest: Sendable {
    /// Largest body in octets.
    static let bodyLimit = 1 << 20

    let method: HTTPRequest.Method
    /// Path as it was sent, with the query if there is one; the page has none.
    let path: String
    /// Every field, each `Host` among them.
    let headers: HTTPFields
    /// Body; nil for one that is larger than ``bodyLimit``, of which the rest is not read.
    let body: [UInt8]?

    init(method: HTTPRequest.Method, path: String, headers: HTTPFields, body: [UInt8]? = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// Request with this head, whose authority is the first `Host` that was sent.
    init(_ head: HTTPRequest, _ body: [UInt8]?) {
        var headers = head.headerFields
        if let host = head.authority, let name = HTTPField.Name("Host") {
            headers.append(HTTPField(name: name, value: host))
        }
        self.init(method: head.method, path: head.path ?? "", headers: headers, body: body)
    }

    func values(_ name: String) -> [String] { HTTPField.Name(name).map { headers[values: $0] } ?? [] }

    /// Value of a header field; nil when it is absent or occurs more than once.
    func only(_ name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values.first : nil
    }

    /// Value of a cookie; nil when it is absent or occurs more than once.
    func cookie(_ name: String) -> [UInt8]? {
        var values: [[UInt8]] = []
        for pair in self.values("Cookie").joined(separator: ";").split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name + "=") { values.append(Array(pair.dropFirst(name.count + 1).utf8)) }
        }
        return values.count == 1 ? values.first : nil
    }
}
