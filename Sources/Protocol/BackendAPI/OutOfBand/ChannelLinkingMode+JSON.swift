import StrictJSON

extension ChannelLinkingMode: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        guard let mode = ChannelLinkingMode(rawValue: try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = mode
    }

    var json: JSONValue { .string(rawValue) }
}
