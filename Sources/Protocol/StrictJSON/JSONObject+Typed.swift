extension JSONObject {
    package func required<Value>(
        _ name: String, _ decode: (JSONValue) throws(JSONTypeError) -> Value
    ) throws(JSONTypeError) -> Value {
        guard let value = try optional(name, decode) else { throw JSONTypeError(path: [name], .missing) }
        return value
    }

    /// The member `name`, decoded by `decode`, or nil when there is none.
    ///
    /// `null` is handed to `decode`, which refuses it.
    package func optional<Value>(
        _ name: String, _ decode: (JSONValue) throws(JSONTypeError) -> Value
    ) throws(JSONTypeError) -> Value? {
        guard let value = self[name] else { return nil }
        do throws(JSONTypeError) {
            return try decode(value)
        } catch {
            throw error.inside(name)
        }
    }

    /// Throws for a member whose name is not among `names`.
    package func requireOnly(_ names: Set<String>) throws(JSONTypeError) {
        for member in members where !names.contains(member.name) {
            throw JSONTypeError(path: [member.name], .unknownMember)
        }
    }

    package func string(_ name: String) throws(JSONTypeError) -> String {
        try required(name) { value throws(JSONTypeError) in try value.asString() }
    }

    package func optionalString(_ name: String) throws(JSONTypeError) -> String? {
        try optional(name) { value throws(JSONTypeError) in try value.asString() }
    }

    package func integer<Integer: FixedWidthInteger>(
        _ name: String, as type: Integer.Type = Integer.self
    ) throws(JSONTypeError) -> Integer {
        try required(name) { value throws(JSONTypeError) in try value.asInteger(type) }
    }

    package func optionalInteger<Integer: FixedWidthInteger>(
        _ name: String, as type: Integer.Type = Integer.self
    ) throws(JSONTypeError) -> Integer? {
        try optional(name) { value throws(JSONTypeError) in try value.asInteger(type) }
    }
}

extension JSONValue {
    package consuming func asObject() throws(JSONTypeError) -> JSONObject {
        let found = kind
        guard case .object(let object) = consume self else { throw .mismatch(found, expected: .object) }
        return object
    }

    package consuming func asString() throws(JSONTypeError) -> String {
        let found = kind
        guard case .string(let text) = consume self else { throw .mismatch(found, expected: .string) }
        return text
    }

    package func asString(scalarCount range: ClosedRange<Int>) throws(JSONTypeError) -> String {
        let text = try asString()
        guard range.contains(text.unicodeScalars.count) else { throw JSONTypeError(.outOfRange) }
        return text
    }

    package func asBool() throws(JSONTypeError) -> Bool {
        guard case .bool(let value) = self else { throw .mismatch(kind, expected: .boolean) }
        return value
    }

    /// The value of a number that is written as an integer of at most 64 bits.
    package func asInt64() throws(JSONTypeError) -> Int64 {
        guard case .number(let number) = self, let integer = number.integer else {
            throw .mismatch(kind, expected: .integer)
        }
        return integer
    }

    package func asInteger<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws(JSONTypeError) -> Integer {
        guard let value = Integer(exactly: try asInt64()) else { throw JSONTypeError(.outOfRange) }
        return value
    }

    package consuming func asArray() throws(JSONTypeError) -> [JSONValue] {
        let found = kind
        guard case .array(let values) = consume self else { throw .mismatch(found, expected: .array) }
        return values
    }

    package func asArray<Element>(
        _ decode: (JSONValue) throws(JSONTypeError) -> Element
    ) throws(JSONTypeError) -> [Element] {
        let values = try asArray()
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(JSONTypeError) {
                elements.append(try decode(value))
            } catch {
                throw error.inside(String(index))
            }
        }
        return elements
    }

    package func asNonEmptyArray<Element>(
        _ decode: (JSONValue) throws(JSONTypeError) -> Element
    ) throws(JSONTypeError) -> [Element] {
        let elements = try asArray(decode)
        guard !elements.isEmpty else { throw JSONTypeError(.outOfRange) }
        return elements
    }
}

extension JSONTypeError {
    fileprivate static func mismatch(_ found: JSONKind, expected: JSONKind) -> JSONTypeError {
        JSONTypeError(.wrongKind(expected: expected, found: found))
    }
}
