import StrictJSON

/// Identifiers of a new dispatch target.
public struct CreatedDispatchTarget: MessageBody {
    /// The identifier that names the target in requests: 1 to 256 characters, as the other one.
    public let id: String
    /// The identifier that other systems see.
    public let externalID: String

    /// A target by its identifiers.
    public init(id: String, externalID: String) {
        self.id = id
        self.externalID = externalID
    }
}

extension CreatedDispatchTarget: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(id: try Self.identifier("id", in: members), externalID: try Self.identifier("extId", in: members))
    }

    /// An identifier of a target, which the device keeps: 1 to 256 characters.
    static func identifier(_ name: String, in members: JSONObject) throws(JSONTypeError) -> String {
        let text = try members.string(name)
        guard (1...256).contains(text.unicodeScalars.count) else { throw JSONTypeError(path: [name], .outOfRange) }
        return text
    }

    var json: JSONValue { .object(["id": .string(id), "extId": .string(externalID)]) }
}
