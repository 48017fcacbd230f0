import StrictJSON

// Closures that read members and elements, as StrictJSON offers them too. But functions of the package are specialised
// only in the module they stand in, and messages are read too often for code that is generic at run time.

extension JSONObject {
    /// The member `name`, decoded by `decode`; throws when it is missing or `decode` refuses it.
    func read<Value>(
        _ name: String, _ decode: (JSONValue) throws(JSONTypeError) -> Value
    ) throws(JSONTypeError) -> Value {
        guard let value = try readIfPresent(name, decode) else { throw JSONTypeError(path: [name], .missing) }
        return value
    }

    /// The member `name`, decoded by `decode`, or nil when there is none.
    func readIfPresent<Value>(
        _ name: String, _ decode: (JSONValue) throws(JSONTypeError) -> Value
    ) throws(JSONTypeError) -> Value? {
        guard let value = self[name] else { return nil }
        do throws(JSONTypeError) {
            return try decode(value)
        } catch {
            throw error.inside(name)
        }
    }

    /// The text of the member `name`, which must be there and must not be empty.
    func requiredText(_ name: String) throws(JSONTypeError) -> String {
        try read(name) { value throws(JSONTypeError) in try value.asNonEmptyString() }
    }

    /// The number of the member `name`, which must be there.
    func requiredInteger<Integer: FixedWidthInteger>(_ name: String) throws(JSONTypeError) -> Integer {
        try read(name) { value throws(JSONTypeError) in try value.integer() }
    }

    /// The number of the member `name`, or nil when there is none.
    func optionalInteger<Integer: FixedWidthInteger>(_ name: String) throws(JSONTypeError) -> Integer? {
        try readIfPresent(name) { value throws(JSONTypeError) in try value.integer() }
    }
}

extension JSONValue {
    /// The value of a number that is written as an integer and fits the type asked for.
    func integer<Integer: FixedWidthInteger>() throws(JSONTypeError) -> Integer {
        guard let value = Integer(exactly: try asInt64()) else { throw JSONTypeError(.outOfRange) }
        return value
    }

    /// The elements of an array, each decoded by `decode`.
    func readElements<Value>(
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
