/// The answer of a server.
public struct TestResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// Name and value of each header field.
    public var headers: [TestRequest.Header]
    /// The body.
    public var body: [UInt8]

    /// Puts an answer together.
    public init(status: Int, headers: [TestRequest.Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
