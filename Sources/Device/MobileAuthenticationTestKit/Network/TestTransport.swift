/// Transport from a simulated phone to a server, as a test wants it.
public protocol TestTransport: Sendable {
    /// Answers a request.
    ///
    /// Throws a ``TestNetworkError``; every other error counts as a broken connection.
    func answer(to request: TestRequest) async throws -> TestResponse
}

/// A request of the phone.
public struct TestRequest: Hashable, Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The absolute address.
    public var url: String
    /// Name and value of each header field.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// One header field.
    public struct Header: Hashable, Sendable {
        /// The name, as spelled.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Puts a request together.
    public init(method: String, url: String, headers: [Header] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension TestRequest: CustomStringConvertible, CustomReflectable {
    /// Method and size: address, header fields and body carry tokens.
    public var description: String { "\(method), \(body.count) bytes" }

    /// Empty, so that reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TestRequest.Header: CustomStringConvertible, CustomReflectable {
    /// The name, without the value.
    public var description: String { name }

    /// Empty, so that reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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

/// Reason for a missing response.
public enum TestNetworkError: Error, Hashable, Sendable {
    /// The server is not reached, or the connection breaks.
    case noConnection
    /// The answer does not come in time.
    case timedOut
}
