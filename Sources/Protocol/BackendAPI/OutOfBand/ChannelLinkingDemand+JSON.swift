import StrictJSON

extension ChannelLinkingDemand: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        switch try members.required("mode", ChannelLinkingMode.init(json:)) {
        case .typed:
            let length: Int = try members.integer("length")
            guard Self.lengths.contains(length) else { throw JSONTypeError(path: ["length"], .outOfRange) }
            self = .typed(length: length)
        case .compare:
            self = .compare(
                try members.required("digits") { value throws(JSONTypeError) in try value.asLinkingDigits() })
        case .none: throw JSONTypeError(path: ["mode"], .outOfRange)
        }
    }

    var json: JSONValue {
        .object(["mode": mode.json, "length": .integer(length), "digits": digits.map(JSONValue.string)])
    }
}

extension JSONValue {
    /// Decimal digits of an allowed number.
    func asLinkingDigits() throws(JSONTypeError) -> String {
        let text = try asString()
        guard ChannelLinkingDemand.lengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw JSONTypeError(.invalidForm) }
        return text
    }
}
