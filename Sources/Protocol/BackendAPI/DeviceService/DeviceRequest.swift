import StrictJSON

/// The payload of a signed request that says nothing beyond who asks (`backend-http-api` 4.3 to 4.5).
public struct DeviceRequest: MessageBody {
    /// Who asks, when and for what.
    public let claims: DeviceClaims

    /// A request of a device.
    public init(_ claims: DeviceClaims) {
        self.claims = claims
    }
}

extension DeviceRequest: StrictlyCoded {
    /// Reads a payload.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) { self.init(try DeviceClaims(try json.asObject())) }

    var json: JSONValue { .object(claims.members) }
}
