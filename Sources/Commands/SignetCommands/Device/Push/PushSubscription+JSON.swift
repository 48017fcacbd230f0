import StrictJSON

extension PushSubscription {
    /// Reads what ``json`` writes.
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let version = try members.required("version") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
        guard version == Self.version else { throw JSONTypeError(path: ["version"], .outOfRange) }
        self.init(
            sink: try members.string("sink"), authorities: try members.optionalString("authorities"),
            token: try members.string("token"),
            lastNumber: try members.required("lastNumber") { value throws(JSONTypeError) in
                try value.asInteger(Int.self)
            })
    }

    /// The subscription as a JSON object.
    var json: JSONValue {
        .object(
            JSONObject([
                "version": .integer(Self.version), "sink": .string(sink),
                "authorities": authorities.map(JSONValue.string), "token": .string(token),
                "lastNumber": .integer(lastNumber),
            ]))
    }
}
