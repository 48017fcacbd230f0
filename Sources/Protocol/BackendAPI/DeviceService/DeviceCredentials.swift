import StrictJSON
public import UAF

/// The server's record of a device: targets and credentials of its accounts; sent to the device as the plaintext of a
/// JWE.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct DeviceCredentials: MessageBody {
    /// Server's record of a dispatch target.
    public struct Target: Hashable, Sendable {
        /// The identifier that names the target in requests.
        public let id: String
        /// Display name of the device.
        public let name: DeviceName
        /// The way that the target prefers; nil for none.
        public let dispatcher: DispatcherName?
        /// Push destination; nil when there is none.
        public let destination: PushDestination?

        /// A target as the server has it.
        public init(id: String, name: DeviceName, dispatcher: DispatcherName?, destination: PushDestination?) {
            self.id = id
            self.name = name
            self.dispatcher = dispatcher
            self.destination = destination
        }
    }

    /// Server's record of a credential.
    public struct Credential: Hashable, Sendable {
        /// Whether a credential can be used.
        public enum State: String, Hashable, Sendable {
            /// It can.
            case active
            /// An administrator locked it.
            case locked
        }

        /// The model and the key.
        public let id: CredentialID
        /// Whether it can be used.
        public let state: State

        /// A credential as the server has it.
        public init(_ id: CredentialID, state: State) {
            self.id = id
            self.state = state
        }
    }

    /// One account on the device.
    public struct Account: Hashable, Sendable {
        /// The user.
        public let username: UserName
        /// The user's target on this device; nil when only credentials are left.
        public let target: Target?
        /// The user's credentials on this device.
        public let credentials: [Credential]
        /// The user's credentials that belong to no device, as far as the server knows: some may be on this one, so
        /// that none of them is missing, and none is surplus.
        public let unassigned: [CredentialID]

        /// An account on the device.
        public init(
            username: UserName, target: Target?, credentials: [Credential], unassigned: [CredentialID] = []
        ) {
            self.username = username
            self.target = target
            self.credentials = credentials
            self.unassigned = unassigned
        }
    }

    /// The request that is answered.
    public let requestID: String
    /// The device.
    public let deviceID: DeviceID
    /// The accounts on the device.
    public let accounts: [Account]

    /// Record of a device with its accounts.
    public init(requestID: String, deviceID: DeviceID, accounts: [Account]) {
        self.requestID = requestID
        self.deviceID = deviceID
        self.accounts = accounts
    }
}

extension DeviceCredentials: StrictBody {
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
            id: try CreatedDispatchTarget.identifier("id", in: members),
            name: try members.required("name", DeviceName.init(json:)),
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

extension CredentialID {
    /// Reads model and key of an object; the services spell the name of the key's member differently.
    init(_ members: JSONObject, keyID name: String) throws(JSONTypeError) {
        let aaid = try members.required("aaid") { value throws(JSONTypeError) in try value.asAAID() }
        self.init(aaid: aaid, keyID: try members.required(name) { value throws(JSONTypeError) in try value.asKeyID() })
    }
}

extension JSONValue {
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
