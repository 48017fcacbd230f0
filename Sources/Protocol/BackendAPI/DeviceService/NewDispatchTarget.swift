public import JOSE
import StrictJSON

/// Properties of a dispatch target that does not exist yet.
public struct NewDispatchTarget: Sendable {
    /// The device; nil for clients that do not say.
    public let deviceID: DeviceID?
    /// Display name of the device.
    public let name: DeviceName
    /// Push destination; nil when there is none yet.
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

extension NewDispatchTarget {
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

extension JWK {
    /// Reads a key that stands as a member, as an object or as text.
    static func member(_ value: JSONValue) throws(JSONTypeError) -> JWK {
        let members = try value.objectOrText()
        do throws(JOSEError) {
            return try JWK(.object(members))
        } catch {
            throw JSONTypeError(.invalidForm)
        }
    }
}
