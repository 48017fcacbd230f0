import Octets
import StrictJSON

extension DeregistrationContext: JSONCoded {
    /// Reads the text of a `context` member.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public init(text: String) throws(BackendAPIError) { self = try Self.read(context: text) }

    /// The text for a `context` member.
    public var text: String { JSONWriter.text(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() },
            scope: try Scope(mode: try members.string("mode"), members))
    }

    var json: JSONValue {
        var members: JSONObject = ["username": username.map(JSONValue.string)]
        switch scope {
        case .everything:
            members.append("mode", .string("username"))
        case .models(let aaids):
            members.append("mode", .string("aaid"))
            members.append("aaids", .array(aaids.map(JSONValue.string)))
        case .keys(let keys):
            members.append("mode", .string("key"))
            members.append("authenticators", .array(keys.map(\.json)))
        }
        return .object(members)
    }
}

extension DeregistrationContext.Scope {
    fileprivate init(mode: String, _ members: JSONObject) throws(JSONTypeError) {
        if mode.hasSameOctets(as: "username") {
            self = .everything
        } else if mode.hasSameOctets(as: "aaid") {
            self = .models(aaids: try Self.aaids(members))
        } else if mode.hasSameOctets(as: "key") {
            self = .keys(
                try members.required("authenticators") { value throws(JSONTypeError) in
                    try value.asNonEmptyArray { element throws(JSONTypeError) in try RegisteredKey(json: element) }
                })
        } else {
            throw JSONTypeError(path: ["mode"], .outOfRange)
        }
    }

    /// The list of models, under any of the three names that clients in the field use.
    private static func aaids(_ members: JSONObject) throws(JSONTypeError) -> [String] {
        let texts = { (value: JSONValue) throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asString() }
        }
        if let aaids = try members.optional("aaids", texts) { return aaids }
        if let aaids = try members.optional("aaid", texts) { return aaids }
        return try members.required("authenticators") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asObject().string("aaid") }
        }
    }
}
