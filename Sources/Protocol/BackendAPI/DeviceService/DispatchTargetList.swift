public import JOSE
import StrictJSON

/// Dispatch targets of a user.
public struct DispatchTargetList: MessageBody {
    /// Dispatch target of the user.
    public struct Entry: Hashable, Sendable {
        /// The identifier that names the target in requests.
        public let id: String
        /// Display name of the device.
        public let name: DeviceName
        /// The way that the target prefers; nil for none.
        public let dispatcher: DispatcherName?

        /// A target of the list.
        public init(id: String, name: DeviceName, dispatcher: DispatcherName?) {
            self.id = id
            self.name = name
            self.dispatcher = dispatcher
        }
    }

    /// The targets, the oldest first.
    public let entries: [Entry]

    /// A list of targets.
    public init(_ entries: [Entry]) { self.entries = entries }
}

extension DispatchTargetList: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        self.init(
            try json.asObject().required("dispatchTargets") { value throws(JSONTypeError) in
                try value.asArray(Entry.init(json:))
            })
    }

    var json: JSONValue { .object(["dispatchTargets": .array(entries.map(\.json))]) }
}

extension DispatchTargetList.Entry: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            id: try members.string("id"), name: try members.required("name", DeviceName.init(json:)),
            dispatcher: try members.optionalString("dispatcher").map(DispatcherName.init(rawValue:)))
    }

    var json: JSONValue {
        .object([
            "id": .string(id), "name": name.json, "dispatcher": (dispatcher?.rawValue).map(JSONValue.string),
        ])
    }
}

/// Payload of a signed request that changes a dispatch target; members that are nil stay unchanged.
public struct DispatchTargetChange: MessageBody {
    /// Signer, time and audience of the request.
    public let claims: DeviceClaims
    /// The new name.
    public let name: DeviceName?
    /// The new destination of push messages.
    public let destination: PushDestination?
    /// The new preferred dispatcher.
    public let dispatcher: DispatcherName?
    /// The new key that payloads are encrypted to.
    public let encryptionKey: JWK?

    /// A change of what is given.
    public init(
        _ claims: DeviceClaims, name: DeviceName? = nil, destination: PushDestination? = nil,
        dispatcher: DispatcherName? = nil, encryptionKey: JWK? = nil
    ) {
        self.claims = claims
        self.name = name
        self.destination = destination
        self.dispatcher = dispatcher
        self.encryptionKey = encryptionKey
    }
}

extension DispatchTargetChange: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            try DeviceClaims(members), name: try members.optional("name", DeviceName.init(json:)),
            destination: try members.optional("target", PushDestination.init(json:)),
            dispatcher: try members.optionalString("dispatcher").map(DispatcherName.init(rawValue:)),
            encryptionKey: try members.optional("encryptionKey", JWK.member))
    }

    var json: JSONValue {
        .object(
            claims.members.followed(by: [
                "name": name?.json, "target": destination?.json,
                "dispatcher": (dispatcher?.rawValue).map(JSONValue.string),
                "encryptionKey": encryptionKey.map { .object($0.members) },
            ]))
    }
}
