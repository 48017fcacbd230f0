package import StrictJSON

// The identifiers as JSON strings. Length and form are judged by their initialisers; a text of the wrong length is out
// of range, one of the wrong form is invalid.

extension AppID: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = AppID(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}

extension FacetID: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = FacetID(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}

extension UserName: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = UserName(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}

extension ServerData: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = ServerData(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}

extension ExtensionID: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = ExtensionID(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}

extension AAID: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = AAID(try json.asString()) else { throw JSONTypeError(.invalidForm) }
        self = value
    }

    package var json: JSONValue { .string(text) }
}

extension VendorID: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = VendorID(try json.asString()) else { throw JSONTypeError(.invalidForm) }
        self = value
    }

    package var json: JSONValue { .string(description) }
}

extension KeyID: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = KeyID(try json.asOctets(byteCounts: Self.byteCounts, rules: rules)) else {
            throw JSONTypeError(.outOfRange)
        }
        self = value
    }

    package var json: JSONValue { .string(base64URL) }
}

extension ServerChallenge: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        guard let value = ServerChallenge(try json.asOctets(byteCounts: Self.byteCounts, rules: rules)) else {
            throw JSONTypeError(.outOfRange)
        }
        self = value
    }

    package var json: JSONValue { .string(base64URL) }
}
