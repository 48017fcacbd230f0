public import JOSE
import StrictJSON
public import UAF

/// What a client sends to make a dispatch target of its own accord (`backend-http-api` 2.3.1).
public struct DispatchTargetCreation: MessageBody {
    /// The user; nil for the one that the authorization names.
    public let username: UserName?
    /// What the target is and which keys it has.
    public let target: NewDispatchTarget

    /// A target to make.
    public init(_ target: NewDispatchTarget, username: UserName? = nil) {
        self.username = username
        self.target = target
    }
}

/// A dispatch target that does not exist yet.
public struct NewDispatchTarget: Sendable {
    /// The device; nil for clients that do not say.
    public let deviceID: DeviceID?
    /// The name that a person reads.
    public let name: DeviceName
    /// Where push messages go; nil when nowhere yet.
    public let destination: PushDestination?
    /// The way that the target prefers; nil for none.
    public let dispatcher: DispatcherName?
    /// The key that verifies what the device signs.
    public let signatureKey: JWK
    /// The key that payloads are encrypted to; nil when none is.
    public let encryptionKey: JWK?

    /// A target with its keys.
    public init(
        name: DeviceName, deviceID: DeviceID?, destination: PushDestination?, dispatcher: DispatcherName?,
        signatureKey: JWK, encryptionKey: JWK?
    ) {
        self.deviceID = deviceID
        self.name = name
        self.destination = destination
        self.dispatcher = dispatcher
        self.signatureKey = signatureKey
        self.encryptionKey = encryptionKey
    }
}

extension DispatchTargetCreation: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            try NewDispatchTarget(members),
            username: try members.optional("username") { value throws(JSONTypeError) in try value.asUserName() })
    }

    var json: JSONValue {
        .object(
            JSONObject(
                distinct: JSONObject(["username": (username?.text).map(JSONValue.string)]).members
                    + target.members.members))
    }
}

extension NewDispatchTarget {
    /// Reads the members of a target that stand among others.
    init(_ members: JSONObject) throws(JSONTypeError) {
        self.init(
            name: try members.required("name", DeviceName.init(json:)),
            deviceID: try members.optional("deviceId", DeviceID.init(json:)),
            destination: try members.optional("target", PushDestination.init(json:)),
            dispatcher: try members.optionalString("dispatcher").map(DispatcherName.init(rawValue:)),
            signatureKey: try members.required("signatureKey", JWK.member),
            encryptionKey: try members.optional("encryptionKey", JWK.member))
    }

    var members: JSONObject {
        [
            "deviceId": deviceID?.json, "name": name.json, "target": destination?.json,
            "dispatcher": (dispatcher?.rawValue).map(JSONValue.string),
            "signatureKey": .object(signatureKey.members),
            "encryptionKey": encryptionKey.map { .object($0.members) },
        ]
    }
}
