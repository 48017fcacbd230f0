package import StrictJSON

// The identifiers as JSON strings. Length and form are judged by their initialisers; a text of the wrong length is out
// of range, one of the wrong form is invalid.

extension AppID: TextIdentifier {}
extension FacetID: TextIdentifier {}
extension UserName: TextIdentifier {}
extension ServerData: TextIdentifier {}
extension ExtensionID: TextIdentifier {}

extension KeyID: OctetIdentifier {}
extension ServerChallenge: OctetIdentifier {}

extension AAID: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = AAID(try json.asString()) else { throw JSONTypeError(.invalidForm) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}

extension VendorID: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = VendorID(try json.asString()) else { throw JSONTypeError(.invalidForm) }
        self = value
    }

    package var json: JSONValue { .string(description) }
}

/// An identifier that is text of a limited length.
package protocol TextIdentifier: JSONCoded {
    init?(_ text: String)
    var text: String { get }
}

extension TextIdentifier {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = Self(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}
