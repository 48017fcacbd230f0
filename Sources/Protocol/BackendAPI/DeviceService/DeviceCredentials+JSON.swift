import StrictJSON
import UAF

extension DeviceCredentials: StrictlyCoded {
    /// Reads a document.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            requestID: try members.string("requestId"),
            deviceID: try members.required("deviceId", DeviceID.init(json:)),
            accounts: try members.required("accounts") { value throws(JSONTypeError) in
                try value.asArray(Account.init(json:))
            })
    }

    var json: JSONValue {
        .object([
            "requestId": .string(requestID), "deviceId": deviceID.json, "accounts": .array(accounts.map(\.json)),
        ])
    }
}

extension DeviceCredentials.Account: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            username: try members.required("username") { value throws(JSONTypeError) in try value.asUserName() },
            target: try members.optional("dispatchTarget", DeviceCredentials.Target.init(json:)),
            credentials: try members.required("credentials") { value throws(JSONTypeError) in
                try value.asArray(DeviceCredentials.Credential.init(json:))
            },
            unassigned: try members.optional("unassignedCredentials") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in
                    try CredentialID(element.asObject(), keyID: "keyId")
                }
            } ?? [])
    }

    var json: JSONValue {
        .object([
            "username": .string(username.text), "dispatchTarget": target?.json,
            "credentials": .array(credentials.map(\.json)),
            "unassignedCredentials": unassigned.isEmpty
                ? nil
                : .array(
                    unassigned.map { .object(["aaid": .string($0.aaid.text), "keyId": .string($0.keyID.base64URL)]) }),
        ])
    }
}

extension DeviceCredentials.Target: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            id: try members.string("id"), name: try members.required("name", DeviceName.init(json:)),
            dispatcher: try members.optionalString("dispatcher").map(DispatcherName.init(rawValue:)),
            destination: try members.optional("target", PushDestination.init(json:)))
    }

    var json: JSONValue {
        .object([
            "id": .string(id), "name": name.json, "dispatcher": (dispatcher?.rawValue).map(JSONValue.string),
            "target": destination?.json,
        ])
    }
}

extension DeviceCredentials.Credential: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        guard let state = State(rawValue: try members.string("state")) else {
            throw JSONTypeError(path: ["state"], .outOfRange)
        }
        self.init(try CredentialID(members, keyID: "keyId"), state: state)
    }

    var json: JSONValue {
        .object([
            "aaid": .string(id.aaid.text), "keyId": .string(id.keyID.base64URL), "state": .string(state.rawValue),
        ])
    }
}
