import StrictJSON
import UAF

extension RegistrationContext: StrictlyCoded {
    /// Reads the text of a `context` member.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public init(text: String) throws(BackendAPIError) { self = try Self.read(context: text) }

    /// The text for a `context` member.
    public var text: String { JSONWriter.text(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.required("username") { value throws(JSONTypeError) in try value.asUserName() },
            policy: try members.optionalString("policy"))
    }

    var json: JSONValue {
        .object(["username": .string(username.text), "policy": policy.map(JSONValue.string)])
    }
}
