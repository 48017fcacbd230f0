import StrictJSON

extension ShownChannelLinking: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            mode: try members.required("mode", ChannelLinkingMode.init(json:)),
            digits: try members.required("digits") { value throws(JSONTypeError) in try value.asLinkingDigits() })
    }

    var json: JSONValue { .object(["mode": mode.json, "digits": .string(digits)]) }
}
