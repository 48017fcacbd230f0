package import StrictJSON

// The registry values as JSON numbers or strings; unknown values are kept.

extension UserVerification: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

extension KeyProtection: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

extension MatcherProtection: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

extension AttachmentHint: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

extension TransactionConfirmationDisplay: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

extension AuthenticationAlgorithm: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

extension PublicKeyFormat: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

extension AttestationType: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(rawValue: try json.integer())
    }

    package var json: JSONValue { .integer(rawValue) }
}

extension AssertionScheme: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(try json.asNonEmptyString())
    }

    package var json: JSONValue { .string(name) }
}

extension ContentType: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(try json.asNonEmptyString())
    }

    package var json: JSONValue { .string(name) }
}
