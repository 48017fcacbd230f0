/// One HTTP response, read to its end.
package struct BackendResponse: Hashable, Sendable {
    /// The status code; redirects are given out like every other response.
    package let status: Int
    /// The header fields, in order.
    package let headers: HeaderFields
    /// The body.
    package let body: [UInt8]
    /// What is known of the connection; nil where the transport cannot tell.
    package let connection: ConnectionFacts?

    /// Puts a response together.
    package init(status: Int, headers: HeaderFields = [], body: [UInt8] = [], connection: ConnectionFacts? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.connection = connection
    }
}
