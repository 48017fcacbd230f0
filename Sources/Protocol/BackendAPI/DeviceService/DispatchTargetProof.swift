import JOSE
import Octets
import StrictJSON

/// Proof of possession by the key of a dispatch target during a registration, so that no other user's target can be
/// attached to it.
///
/// It names everything about the target that the server would otherwise have to believe, and the final challenge
/// parameters of the UAF response, which make it belong to this one registration.
public struct DispatchTargetProof: MessageBody {
    /// Signed statement about the target.
    public struct Statement: Hashable, Sendable {
        /// The device.
        public let deviceID: DeviceID?
        /// The name of a new target; nil for an existing one.
        public let name: DeviceName?
        /// The destination of a new target, as it was proposed.
        public let destination: PushDestination?
        /// The dispatcher of a new target, as it was proposed.
        public let dispatcher: DispatcherName?
        /// The RFC 7638 thumbprint of the signature key, base64url.
        public let signatureKeyThumbprint: String
        /// The RFC 7638 thumbprint of the encryption key, base64url; nil when there is none, or for an existing target.
        public let encryptionKeyThumbprint: String?

        /// Creates the statement of a target that is to be made.
        public init(of target: NewDispatchTarget) {
            deviceID = target.deviceID
            name = target.name
            destination = target.destination
            dispatcher = target.dispatcher
            signatureKeyThumbprint = JWKThumbprint(of: target.signatureKey).text
            encryptionKeyThumbprint = target.encryptionKey.map { JWKThumbprint(of: $0).text }
        }

        /// Creates the statement of a target that exists.
        public init(existingOn deviceID: DeviceID, signatureKeyThumbprint: String) {
            self.deviceID = deviceID
            (name, destination, dispatcher, encryptionKeyThumbprint) = (nil, nil, nil, nil)
            self.signatureKeyThumbprint = signatureKeyThumbprint
        }

        init(_ members: JSONObject) throws(JSONTypeError) {
            deviceID = try members.optional("deviceId", DeviceID.init(json:))
            name = try members.optional("name", DeviceName.init(json:))
            destination = try members.optional("target", PushDestination.init(json:))
            dispatcher = try members.optionalString("dispatcher").map(DispatcherName.init(rawValue:))
            signatureKeyThumbprint = try members.string("signatureKeyThumbprint")
            encryptionKeyThumbprint = try members.optionalString("encryptionKeyThumbprint")
        }

        var members: JSONObject {
            [
                "deviceId": deviceID?.json, "name": name?.json, "target": destination?.json,
                "dispatcher": (dispatcher?.rawValue).map(JSONValue.string),
                "signatureKeyThumbprint": .string(signatureKeyThumbprint),
                "encryptionKeyThumbprint": encryptionKeyThumbprint.map(JSONValue.string),
            ]
        }
    }

    /// Signed statement about the target.
    public let statement: Statement
    /// SHA-256 of the final challenge parameters of the response (FIDO UAF Protocol 1.1, 3.6.3), 32 bytes.
    public let challengeHash: [UInt8]
    /// The whole address of the registration service: public base address and path.
    public let audience: String
    /// The claims of a target that exists; nil for a new one, as fresh as the challenge.
    public let claims: DeviceClaims?

    /// A proof for a target that is to be made.
    public init(of target: NewDispatchTarget, challengeHash: [UInt8], audience: String) {
        self.init(Statement(of: target), challengeHash: challengeHash, audience: audience, claims: nil)
    }

    /// A proof for a target that exists; the claims name the same audience.
    public init(
        existingOn deviceID: DeviceID, signatureKeyThumbprint: String, challengeHash: [UInt8], claims: DeviceClaims
    ) {
        self.init(
            Statement(existingOn: deviceID, signatureKeyThumbprint: signatureKeyThumbprint),
            challengeHash: challengeHash, audience: claims.audience ?? "", claims: claims)
    }

    private init(_ statement: Statement, challengeHash: [UInt8], audience: String, claims: DeviceClaims?) {
        self.statement = statement
        self.challengeHash = challengeHash
        self.audience = audience
        self.claims = claims
    }
}

extension DispatchTargetProof: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let method = try members.required("htm", Endpoint.Method.init(json:))
        guard method == .post else { throw JSONTypeError(path: ["htm"], .outOfRange) }
        self.init(
            try Statement(members),
            challengeHash: try members.required("fcParamsHash") { value throws(JSONTypeError) in
                let text = try value.asString()
                guard let octets = try? Base64URL.decode(text), octets.count == 32 else {
                    throw JSONTypeError(.invalidForm)
                }
                return octets
            },
            audience: try members.string("aud"),
            claims: members["requestId"] == nil ? nil : try DeviceClaims(members))
    }

    var json: JSONValue {
        let common: JSONObject =
            claims?.members ?? ["aud": .string(audience), "htm": Endpoint.Method.post.json]
        return .object(
            common.followed(by: statement.members).followed(by: [
                "fcParamsHash": .string(Base64URL.encode(challengeHash))
            ]))
    }
}
