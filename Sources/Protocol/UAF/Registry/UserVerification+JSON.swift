package import StrictJSON

// The registry values as JSON numbers or strings; unknown values are kept.

extension UserVerification: RegistryNumber {}
extension KeyProtection: RegistryNumber {}
extension MatcherProtection: RegistryNumber {}
extension AttachmentHint: RegistryNumber {}
extension TransactionConfirmationDisplay: RegistryNumber {}
extension AuthenticationAlgorithm: RegistryNumber {}
extension PublicKeyFormat: RegistryNumber {}
extension AttestationType: RegistryNumber {}

extension AssertionScheme: RegistryName {}
extension ContentType: RegistryName {}

/// A value of a registry that messages write as a number.
package protocol RegistryNumber: JSONCoded, RawRepresentable where RawValue: FixedWidthInteger {
    /// Accepts numbers that this version does not know.
    init(rawValue: RawValue)
}

extension RegistryNumber {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

/// A value of a registry that messages write as a name.
package protocol RegistryName: JSONCoded {
    init(_ name: String)
    var name: String { get }
}

extension RegistryName {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(try json.asNonEmptyString())
    }

    package var json: JSONValue { .string(name) }
}
