/// What came back from fetching a list of trusted facets.
///
/// The request must be anonymous (no cookies, no authorization, no `Origin`, no `Referer`, no client certificate), and
/// the transport must not follow redirects.
public struct FacetResponse: Hashable, Sendable {
    /// One header field.
    public struct Field: Hashable, Sendable {
        /// Name, in any case.
        public let name: String
        /// Value.
        public let value: String

        /// Pairs a name with a value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Status code.
    public let status: Int
    /// Header fields in order.
    public let fields: [Field]
    /// The body; more than ``TrustedFacetList/byteLimit`` bytes are refused.
    public let body: [UInt8]

    /// Hands over a response.
    public init(status: Int, fields: [Field], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the field when it occurs exactly once.
    func value(of name: String) -> String? {
        let found = fields.filter { $0.name.lowercased() == name.lowercased() }
        return found.count == 1 ? found[0].value : nil
    }
}
