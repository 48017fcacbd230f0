import StrictJSON

/// The base64url text that carries an assertion.
enum AssertionText {
    static func octets(of text: String, limit: Int, rules: DecodingRules) throws(MessageError) -> [UInt8] {
        do throws(JSONTypeError) {
            return try JSONValue.string(text).asOctets(byteCounts: 1...limit, rules: rules)
        } catch {
            throw MessageError(error.inside("assertion"))
        }
    }
}
