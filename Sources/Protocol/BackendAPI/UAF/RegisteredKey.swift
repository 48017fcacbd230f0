import StrictJSON

/// One registered key, named as UAF names it.
public struct RegisteredKey: Sendable {
    /// The authenticator model, for example `F1D0#1001`.
    public let aaid: String
    /// The key, base64url.
    public let keyID: String

    /// Names a key.
    public init(aaid: String, keyID: String) {
        self.aaid = aaid
        self.keyID = keyID
    }
}

extension RegisteredKey: JSONCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(aaid: try members.string("aaid"), keyID: try members.string("keyID"))
    }

    var json: JSONValue { .object(["aaid": .string(aaid), "keyID": .string(keyID)]) }
}
