package import StrictJSON

/// An identifier that is text of a limited length.
package protocol TextIdentifier: JSONCoded {
    /// Takes text of an allowed length; nil for anything else.
    init?(_ text: String)
    /// The text as it was given.
    var text: String { get }
}

extension TextIdentifier {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = Self(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}
