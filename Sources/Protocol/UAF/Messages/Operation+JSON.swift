package import StrictJSON

extension Operation: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let operation = Operation(rawValue: try json.asString()) else { throw JSONTypeError(.invalidForm) }
        self = operation
    }

    package var json: JSONValue { .string(rawValue) }
}
