import StrictJSON

extension PhoneSettings {
    /// Reads what ``json`` writes.
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let version = try members.required("version") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
        guard version == Self.version else { throw JSONTypeError(path: ["version"], .outOfRange) }
        self.init(
            server: try members.required("server") { value throws(JSONTypeError) in try value.asString() },
            name: try members.required("name") { value throws(JSONTypeError) in try value.asString() },
            authorities: try members.optional("authorities") { value throws(JSONTypeError) in try value.asString() })
    }

    /// The settings as a JSON object.
    var json: JSONValue {
        .object(
            JSONObject([
                "version": .integer(Self.version), "server": .string(server), "name": .string(name),
                "authorities": authorities.map(JSONValue.string),
            ]))
    }
}
