package import StrictJSON

/// A value of a registry that messages write as a name.
package protocol RegistryName: JSONCoded {
    /// Takes a name as it is.
    init(_ name: String)
    /// The name.
    var name: String { get }
}

extension RegistryName {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(try json.asNonEmptyString())
    }

    package var json: JSONValue { .string(name) }
}
