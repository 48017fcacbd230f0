import StrictJSON
import UAF

extension CredentialID {
    /// Reads model and key of an object; the services spell the name of the key's member differently.
    init(_ members: JSONObject, keyID name: String) throws(JSONTypeError) {
        let aaid = try members.required("aaid") { value throws(JSONTypeError) in try value.asAAID() }
        self.init(aaid: aaid, keyID: try members.required(name) { value throws(JSONTypeError) in try value.asKeyID() })
    }
}

extension JSONValue {
    /// The identifier of a model of authenticator.
    func asAAID() throws(JSONTypeError) -> AAID {
        guard let aaid = AAID(try asString()) else { throw JSONTypeError(.invalidForm) }
        return aaid
    }

    /// The identifier of a key, in base64url.
    func asKeyID() throws(JSONTypeError) -> KeyID {
        guard let keyID = KeyID(base64URL: try asString()) else { throw JSONTypeError(.invalidForm) }
        return keyID
    }
}
