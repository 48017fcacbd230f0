package import StrictJSON

/// A value of a registry that messages write as a number.
package protocol RegistryNumber: JSONCoded, RawRepresentable where RawValue: FixedWidthInteger {
    /// Takes a number as it is.
    init(rawValue: RawValue)
}

extension RegistryNumber {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}
