import Octets
package import StrictJSON

/// A value that is a JSON dictionary or string of the protocol.
package protocol JSONCoded {
    /// Reads the value; throws with the path to what is wrong.
    init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError)
    /// The value as JSON, members in the order of the specification's tables.
    var json: JSONValue { get }
}

extension JSONObject {
    /// The member `name`, which must be there.
    package func required<Value: JSONCoded>(
        _ name: String, as type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> Value {
        try read(name) { value throws(JSONTypeError) in try Value(json: value, rules: rules) }
    }

    /// The member `name`, or nil when there is none.
    package func optional<Value: JSONCoded>(
        _ name: String, as type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> Value? {
        try readIfPresent(name) { value throws(JSONTypeError) in try Value(json: value, rules: rules) }
    }

    /// The elements of the member `name`, which must be there and hold at least one.
    package func requiredArray<Value: JSONCoded>(
        _ name: String, of type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> [Value] {
        try read(name) { value throws(JSONTypeError) in try value.asNonEmptyArray(of: type, rules: rules) }
    }

    /// The elements of the member `name`, at least one, or nil when there is no such member.
    package func optionalArray<Value: JSONCoded>(
        _ name: String, of type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> [Value]? {
        try readIfPresent(name) { value throws(JSONTypeError) in try value.asNonEmptyArray(of: type, rules: rules) }
    }

    /// The elements of the member `name`; none when there is no such member or its array is empty.
    ///
    /// For lists whose emptiness says nothing: peers in the field send them empty although the specification asks them
    /// to leave the member out.
    package func list<Value: JSONCoded>(
        _ name: String, of type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> [Value] {
        try readIfPresent(name) { value throws(JSONTypeError) in try value.asArray(of: type, rules: rules) } ?? []
    }
}

extension JSONValue {
    func asArray<Value: JSONCoded>(of type: Value.Type, rules: DecodingRules) throws(JSONTypeError) -> [Value] {
        try readElements { element throws(JSONTypeError) in try Value(json: element, rules: rules) }
    }

    func asNonEmptyArray<Value: JSONCoded>(
        of type: Value.Type, rules: DecodingRules
    ) throws(JSONTypeError) -> [Value] {
        let values = try asArray(of: type, rules: rules)
        guard !values.isEmpty else { throw JSONTypeError(.outOfRange) }
        return values
    }

    /// A string that is not empty.
    func asNonEmptyString() throws(JSONTypeError) -> String {
        let text = try asString()
        guard !text.isEmpty else { throw JSONTypeError(.outOfRange) }
        return text
    }

    /// The bytes that a base64url string stands for, when their number lies in `byteCounts`.
    func asOctets(
        byteCounts: some RangeExpression<Int>, rules: DecodingRules
    ) throws(JSONTypeError) -> [UInt8] {
        let text = try asNonEmptyString()
        guard let octets = try? Base64URL.decode(text, strictness: rules.base64URL) else {
            throw JSONTypeError(.invalidForm)
        }
        guard byteCounts.contains(octets.count) else { throw JSONTypeError(.outOfRange) }
        return octets
    }

    /// A string of base64url, as text.
    func asBase64URLText(rules: DecodingRules) throws(JSONTypeError) -> String {
        let text = try asNonEmptyString()
        _ = try asOctets(byteCounts: 0..., rules: rules)
        return text
    }

    /// Values as a JSON array, or nil when there are none.
    static func list(_ values: [some JSONCoded]) -> JSONValue? {
        values.isEmpty ? nil : .array(values.map(\.json))
    }
}
