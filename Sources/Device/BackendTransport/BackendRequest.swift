/// One HTTP request.
package struct BackendRequest: Hashable, Sendable {
    /// What is asked for.
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// What is asked for.
    package var method: Method
    /// The absolute address.
    package var url: String
    /// The header fields, in order.
    package var headers: HeaderFields
    /// The body; empty for none.
    package var body: [UInt8]
    /// The most bytes of body that the response may have.
    package var responseByteLimit: Int
    /// How long the whole exchange may take.
    package var timeout: Duration

    /// Puts a request together; responses are limited to 64 KiB and one minute unless told otherwise.
    package init(
        _ method: Method, _ url: String, headers: HeaderFields = [], body: [UInt8] = [],
        responseByteLimit: Int = 64 << 10, timeout: Duration = .seconds(60)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.responseByteLimit = responseByteLimit
        self.timeout = timeout
    }
}
