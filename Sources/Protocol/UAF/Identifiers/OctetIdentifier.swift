package import StrictJSON

/// An identifier that is a number of bytes, written in base64url.
package protocol OctetIdentifier: JSONCoded {
    static var byteCounts: ClosedRange<Int> { get }
    init?(_ octets: some Collection<UInt8>)
    /// The unpadded base64url text.
    var base64URL: String { get }
}

extension OctetIdentifier {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = Self(try json.asOctets(byteCounts: Self.byteCounts, rules: rules)) else {
            throw JSONTypeError(.outOfRange)
        }
        self = value
    }

    package var json: JSONValue { .string(base64URL) }
}
