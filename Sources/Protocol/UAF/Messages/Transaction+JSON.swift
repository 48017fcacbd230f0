import Octets
package import StrictJSON

extension Transaction: JSONCoded {
    /// Reads a rendering; a text has at most 200 characters, a picture says how it is coded.
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            contentType: try members.required("contentType", rules: rules),
            content: try members.required("content") { value throws(JSONTypeError) in
                try value.asOctets(byteCounts: 1..., rules: rules)
            },
            displayCharacteristics: try members.optionalArray("tcDisplayPNGCharacteristics", rules: rules) ?? [])
        if contentType == .plainText {
            guard let text = String(validating: content, as: UTF8.self) else {
                throw JSONTypeError(path: ["content"], .invalidForm)
            }
            let isShort = rules.transactionTextByteLimit.map { content.count <= $0 }
            guard isShort ?? (text.unicodeScalars.count <= Self.textScalarLimit) else {
                throw JSONTypeError(path: ["content"], .outOfRange)
            }
        } else if contentType == .png, displayCharacteristics.isEmpty {
            throw JSONTypeError(path: ["tcDisplayPNGCharacteristics"], .missing)
        }
    }

    package var json: JSONValue {
        .object(
            JSONObject([
                "contentType": contentType.json, "content": .string(Base64URL.encode(content)),
                "tcDisplayPNGCharacteristics": .list(displayCharacteristics),
            ]))
    }
}
