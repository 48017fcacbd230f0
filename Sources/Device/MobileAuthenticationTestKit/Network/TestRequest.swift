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

        /// Names a field.
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
