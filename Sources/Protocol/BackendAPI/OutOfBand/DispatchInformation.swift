import StrictJSON

/// Data sent along with a token.
public struct DispatchInformation: MessageBody {
    /// The title of the push message, readable by the push service; nil for none.
    public let title: String?
    /// The body of the push message, readable by the push service; nil for none.
    public let text: String?
    /// Attributes for the application, beside the token.
    public let attributes: PayloadAttributes

    /// A message and attributes, as far as wanted.
    public init(title: String? = nil, text: String? = nil, attributes: PayloadAttributes = .none) {
        self.title = title
        self.text = text
        self.attributes = attributes
    }

    /// The requested notification, a JSON object as text; nil when there is none.
    public var notification: String? { notificationMembers.map { JSONWriter.text(.object($0)) } }

    private var notificationMembers: JSONObject? {
        guard title != nil || text != nil else { return nil }
        return ["title": title.map(JSONValue.string), "body": text.map(JSONValue.string)]
    }
}

extension DispatchInformation: StrictBody {
    /// Reads the object, or the text of one: callers in the field send both.
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.objectOrText()
        let notification = try members.optional("notification") { value throws(JSONTypeError) in try value.asObject() }
        self.init(
            title: try notification?.optionalString("title"), text: try notification?.optionalString("body"),
            attributes: try members.optional("data", PayloadAttributes.init(json:)) ?? .none)
    }

    var json: JSONValue {
        .object(["notification": notificationMembers.map(JSONValue.object), "data": attributes.json])
    }
}

extension JSONValue {
    /// The members of an object that may be given as text ("stringified JSON").
    func objectOrText() throws(JSONTypeError) -> JSONObject {
        guard case .string(let text) = self else { return try asObject() }
        guard let value = try? JSONParser.parse(Array(text.utf8), limits: .body) else {
            throw JSONTypeError(.invalidForm)
        }
        return try value.asObject()
    }
}
