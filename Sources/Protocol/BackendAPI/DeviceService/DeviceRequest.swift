import Octets
import StrictJSON

/// Members common to all requests signed by a device.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct DeviceClaims: Hashable, Sendable {
    /// The dispatch target whose key signs.
    public let dispatchTargetID: String
    /// Unique among the requests of the target, 1 to 64 characters; a second one is a replay.
    public let requestID: String
    /// Creation time of the request, in milliseconds since 1970 in UTC, by the clock of the device.
    public let creationTime: Int64
    /// The whole address that the request is meant for: the public base address and the path; nil where not required.
    public let audience: String?
    /// The HTTP method that the request is meant for; nil where not required.
    public let method: Endpoint.Method?

    /// Claims of one request.
    public init(
        dispatchTargetID: String, requestID: String, creationTime: Int64, audience: String?, method: Endpoint.Method?
    ) {
        self.dispatchTargetID = dispatchTargetID
        self.requestID = requestID
        self.creationTime = creationTime
        self.audience = audience
        self.method = method
    }

    init(_ members: JSONObject) throws(JSONTypeError) {
        self.init(
            dispatchTargetID: try members.required("dispatchTargetId") { value throws(JSONTypeError) in
                try value.asString(scalarCount: 1...256)
            },
            requestID: try members.required("requestId") { value throws(JSONTypeError) in
                let text = try value.asString(scalarCount: 1...64)
                // It is stored, and not every database has a NUL in its texts.
                guard !text.utf8.contains(0) else { throw JSONTypeError(.invalidForm) }
                return text
            },
            creationTime: try members.integer("creationTimeInEpochMillis"),
            audience: try members.optionalString("aud"),
            method: try members.optional("htm", Endpoint.Method.init(json:)))
    }

    var members: JSONObject {
        [
            "dispatchTargetId": .string(dispatchTargetID), "requestId": .string(requestID),
            "creationTimeInEpochMillis": .integer(creationTime), "aud": audience.map(JSONValue.string),
            "htm": method?.json,
        ]
    }
}

extension Endpoint.Method: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        guard let method = Endpoint.Method(rawValue: try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = method
    }

    var json: JSONValue { .string(rawValue) }
}

extension JSONObject {
    /// The members of this object and then of `other`, whose names are others.
    func followed(by other: JSONObject) -> JSONObject { JSONObject(distinct: members + other.members) }
}

/// Payload of a signed request that has no members beyond the claims.
///
/// ```swift
/// let service = Endpoint.deviceCredentials
/// let address = "https://bank.example" + Endpoint.serviceRoot + service.path(naming: deviceID.text)
/// let claims = DeviceClaims(
///     dispatchTargetID: targetID, requestID: requestID, creationTime: now, audience: address,
///     method: service.method)
/// let payload = DeviceRequest(claims).body  // Signed by the key of the target, sent as `Device-Signature`.
/// ```
public struct DeviceRequest: MessageBody {
    /// Signer, time and audience of the request.
    public let claims: DeviceClaims

    /// A request of a device.
    public init(_ claims: DeviceClaims) { self.claims = claims }
}

extension DeviceRequest: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) { self.init(try DeviceClaims(try json.asObject())) }

    var json: JSONValue { .object(claims.members) }
}

/// The identifier that an installation gives its device; all dispatch targets of a device share it.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it was given.
    public let text: String

    /// Takes 1 to 256 Unicode scalar values without control characters; nil for anything else.
    public init?(_ text: String) {
        guard (1...256).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }

    /// Same as ``text``.
    public var description: String { text }

    /// Whether both are spelled with the same bytes.
    public static func == (one: DeviceID, other: DeviceID) -> Bool { one.text.hasSameOctets(as: other.text) }

    /// Feeds the bytes of the identifier to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}

extension DeviceID: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        guard let id = DeviceID(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = id
    }

    var json: JSONValue { .string(text) }
}

/// User-visible name of a device, unique among the devices of a user.
public struct DeviceName: Hashable, Sendable, CustomStringConvertible {
    /// The name as it was given.
    public let text: String

    /// Takes 1 to 128 Unicode scalar values without control characters; nil for anything else.
    public init?(_ text: String) {
        guard (1...128).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.text = text
    }

    /// Same as ``text``.
    public var description: String { text }

    /// Whether both are spelled with the same bytes.
    public static func == (one: DeviceName, other: DeviceName) -> Bool { one.text.hasSameOctets(as: other.text) }

    /// Feeds the bytes of the name to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}

extension DeviceName: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        guard let name = DeviceName(try json.asString()) else { throw JSONTypeError(.outOfRange) }
        self = name
    }

    var json: JSONValue { .string(text) }
}
