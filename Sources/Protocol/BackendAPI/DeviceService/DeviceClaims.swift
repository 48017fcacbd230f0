import StrictJSON

/// The members that every request signed by a device has (`backend-http-api` 4.1; decisions, 7).
public struct DeviceClaims: Hashable, Sendable {
    /// The dispatch target whose key signs.
    public let dispatchTargetID: String
    /// Unique among the requests of the target, 1 to 64 characters; a second one is a replay.
    public let requestID: String
    /// When the request was made, in milliseconds since 1970 in UTC, by the clock of the device.
    public let creationTime: Int64
    /// The whole address that the request is meant for: the public base address and the path; nil where not required.
    public let audience: String?
    /// The HTTP method that the request is meant for; nil where not required.
    public let method: Endpoint.Method?

    /// What is said about a request.
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
                try value.asString(scalarCount: 1...64)
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
    /// The members of this object and then those of `other`, whose names are others.
    func followed(by other: JSONObject) -> JSONObject { JSONObject(distinct: members + other.members) }
}
