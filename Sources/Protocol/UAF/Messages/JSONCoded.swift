import Octets
package import StrictJSON

/// A value that is a JSON dictionary or string of the protocol.
package protocol JSONCoded {
    /// Reads the value; throws with the path to what is wrong.
    init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError)
    /// The value as JSON, members in the order of the specification's tables.
    var json: JSONValue { get }
}

extension JSONObject {
    package func required<Value: JSONCoded>(
        _ name: StaticString, as type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> Value {
        guard let value: Value = try optional(name, rules: rules) else {
            throw JSONTypeError(path: [name.description], .missing)
        }
        return value
    }

    package func optional<Value: JSONCoded>(
        _ name: StaticString, as type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> Value? {
        guard let value = member(name) else { return nil }
        do throws(JSONTypeError) {
            return try Value(json: consume value, rules: rules)
        } catch {
            throw error.inside(name.description)
        }
    }

    /// The elements of the member `name`, which must be there and hold at least one.
    package func requiredArray<Value: JSONCoded>(
        _ name: StaticString, of type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> [Value] {
        try read(name) { value throws(JSONTypeError) in try value.asNonEmptyArray(of: type, rules: rules) }
    }

    /// The elements of the member `name`, at least one, or nil when there is no such member.
    package func optionalArray<Value: JSONCoded>(
        _ name: StaticString, of type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> [Value]? {
        try readIfPresent(name) { value throws(JSONTypeError) in try value.asNonEmptyArray(of: type, rules: rules) }
    }

    /// The elements of the member `name`; none when there is no such member or its array is empty.
    ///
    /// For lists whose emptiness says nothing: peers in the field send them empty although the specification asks them
    /// to leave the member out.
    package func list<Value: JSONCoded>(
        _ name: StaticString, of type: Value.Type = Value.self, rules: DecodingRules
    ) throws(JSONTypeError) -> [Value] {
        try readIfPresent(name) { value throws(JSONTypeError) in try value.asArray(of: type, rules: rules) } ?? []
    }
}

extension JSONValue {
    consuming func asArray<Value: JSONCoded>(of type: Value.Type, rules: DecodingRules) throws(JSONTypeError) -> [Value]
    {
        try readElements { element throws(JSONTypeError) in try Value(json: element, rules: rules) }
    }

    consuming func asNonEmptyArray<Value: JSONCoded>(
        of type: Value.Type, rules: DecodingRules
    ) throws(JSONTypeError) -> [Value] {
        let values = try asArray(of: type, rules: rules)
        guard !values.isEmpty else { throw JSONTypeError(.outOfRange) }
        return values
    }

    consuming func asNonEmptyString() throws(JSONTypeError) -> String {
        let text = try asString()
        guard !text.isEmpty else { throw JSONTypeError(.outOfRange) }
        return text
    }

    consuming func asOctets(
        byteCounts: some RangeExpression<Int>, rules: DecodingRules
    ) throws(JSONTypeError) -> [UInt8] {
        try Self.octets(of: try asNonEmptyString(), byteCounts: byteCounts, rules: rules)
    }

    static func octets(
        of text: String, byteCounts: some RangeExpression<Int>, rules: DecodingRules
    ) throws(JSONTypeError) -> [UInt8] {
        guard let octets = try? Base64URL.decode(text, strictness: rules.base64URL) else {
            throw JSONTypeError(.invalidForm)
        }
        guard byteCounts.contains(octets.count) else { throw JSONTypeError(.outOfRange) }
        return octets
    }

    consuming func asBase64URLText(rules: DecodingRules) throws(JSONTypeError) -> String {
        let text = try asNonEmptyString()
        _ = try Self.octets(of: text, byteCounts: 0..., rules: rules)
        return text
    }

    /// Values as a JSON array, or nil when there are none.
    static func list(_ values: [some JSONCoded]) -> JSONValue? {
        values.isEmpty ? nil : .array(values.map(\.json))
    }
}

// Closures that read members and elements, as StrictJSON offers them too. But functions of the package are specialised
// only in the module they stand in, and messages are read too often for code that is generic at run time.

extension JSONObject {
    func read<Value>(
        _ name: StaticString, _ decode: (consuming JSONValue) throws(JSONTypeError) -> Value
    ) throws(JSONTypeError) -> Value {
        guard let value = try readIfPresent(name, decode) else {
            throw JSONTypeError(path: [name.description], .missing)
        }
        return value
    }

    func readIfPresent<Value>(
        _ name: StaticString, _ decode: (consuming JSONValue) throws(JSONTypeError) -> Value
    ) throws(JSONTypeError) -> Value? {
        guard let value = member(name) else { return nil }
        do throws(JSONTypeError) {
            return try decode(consume value)
        } catch {
            throw error.inside(name.description)
        }
    }

    /// The text of the member `name`, which must be there and must not be empty.
    func requiredText(_ name: StaticString) throws(JSONTypeError) -> String {
        try read(name) { value throws(JSONTypeError) in try value.asNonEmptyString() }
    }

    func requiredInteger<Integer: FixedWidthInteger>(_ name: StaticString) throws(JSONTypeError) -> Integer {
        try read(name) { value throws(JSONTypeError) in try value.integer() }
    }

    func optionalInteger<Integer: FixedWidthInteger>(_ name: StaticString) throws(JSONTypeError) -> Integer? {
        try readIfPresent(name) { value throws(JSONTypeError) in try value.integer() }
    }
}

extension JSONValue {
    func integer<Integer: FixedWidthInteger>() throws(JSONTypeError) -> Integer {
        guard let value = Integer(exactly: try asInt64()) else { throw JSONTypeError(.outOfRange) }
        return value
    }

    consuming func readElements<Value>(
        _ decode: (JSONValue) throws(JSONTypeError) -> Value
    ) throws(JSONTypeError) -> [Value] {
        let elements = try asArray()
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(JSONTypeError) {
                values.append(try decode(element))
            } catch {
                throw error.inside(String(index))
            }
        }
        return values
    }
}
