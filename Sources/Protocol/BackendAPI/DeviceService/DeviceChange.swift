import StrictJSON
public import UAF

/// Payload of a signed request that removes credentials and targets of a device.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct DeviceChange: MessageBody {
    /// Selection of a user's credentials on this device that are to be removed.
    public struct Removal: Hashable, Sendable {
        /// Owner of the credentials.
        public let username: UserName
        /// The model; nil for every model.
        public let aaid: AAID?
        /// The key; nil for every key of the model.
        public let keyID: KeyID?

        /// Everything of `username` on this device that the rest allows.
        public init(username: UserName, aaid: AAID? = nil, keyID: KeyID? = nil) {
            self.username = username
            self.aaid = aaid
            self.keyID = keyID
        }
    }

    /// Signer, time and audience of the request.
    public let claims: DeviceClaims
    /// The credentials to remove.
    public let removals: [Removal]
    /// The dispatch targets of the device to remove.
    public let targetIDs: [String]

    /// Removes credentials and targets.
    public init(_ claims: DeviceClaims, removing removals: [Removal] = [], targetIDs: [String] = []) {
        self.claims = claims
        self.removals = removals
        self.targetIDs = targetIDs
    }

    /// The most credentials or targets that one request may name.
    public static let maximumCount = 100
}

extension DeviceChange: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let removals =
            try members.optional("remove") { value throws(JSONTypeError) in
                try value.asArray(Removal.init(json:))
            } ?? []
        let targetIDs =
            try members.optional("removeTargets") { value throws(JSONTypeError) in
                try value.asArray { element throws(JSONTypeError) in try element.asString(scalarCount: 1...256) }
            } ?? []
        guard (1...Self.maximumCount).contains(removals.count + targetIDs.count) else {
            throw JSONTypeError(path: ["remove"], .outOfRange)
        }
        self.init(try DeviceClaims(members), removing: removals, targetIDs: targetIDs)
    }

    var json: JSONValue {
        .object(
            claims.members.followed(by: [
                "remove": removals.isEmpty ? nil : .array(removals.map(\.json)),
                "removeTargets": targetIDs.isEmpty ? nil : .array(targetIDs.map(JSONValue.string)),
            ]))
    }
}

extension DeviceChange.Removal: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let keyID = try members.optional("keyId") { value throws(JSONTypeError) in try value.asKeyID() }
        let aaid = try members.optional("aaid") { value throws(JSONTypeError) in try value.asAAID() }
        // A key without its model would name nothing: keys are unique only within their model.
        guard keyID == nil || aaid != nil else { throw JSONTypeError(path: ["aaid"], .missing) }
        self.init(
            username: try members.required("username") { value throws(JSONTypeError) in try value.asUserName() },
            aaid: aaid, keyID: keyID)
    }

    var json: JSONValue {
        .object([
            "username": .string(username.text), "aaid": (aaid?.text).map(JSONValue.string),
            "keyId": (keyID?.base64URL).map(JSONValue.string),
        ])
    }
}
