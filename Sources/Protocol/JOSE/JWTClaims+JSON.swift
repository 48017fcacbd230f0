package import StrictJSON

extension JWTClaims {
    /// Reads the payload of a token: a JSON object without repeated members, its times written as integers.
    ///
    /// Throws ``JOSEError/malformedClaims``.
    public init(payload: [UInt8]) throws(JOSEError) {
        let limits = JSONLimits(byteCount: CompactJWS.maximumByteCount, depth: 8)
        guard let value = try? JSONParser.parse(payload, limits: limits), case .object(let members) = value else {
            throw .malformedClaims
        }
        try self.init(members)
    }

    /// Claims for a token to be made, or those of a payload that was read.
    ///
    /// Throws ``JOSEError/malformedClaims`` when a registered claim has a wrong type.
    package init(_ members: JSONObject) throws(JOSEError) {
        do throws(JSONTypeError) {
            issuer = try members.optionalString("iss")
            subject = try members.optionalString("sub")
            audience = try members.optional("aud") { value throws(JSONTypeError) in try Self.audience(value) } ?? []
            expirationTime = try members.optionalInteger("exp")
            notBefore = try members.optionalInteger("nbf")
            issuedAt = try members.optionalInteger("iat")
        } catch {
            throw .malformedClaims
        }
        self.members = members
    }

    /// The JSON text of the claims, to be signed.
    public var payload: [UInt8] { JSONWriter.write(.object(members)) }

    /// One string, or an array of them (RFC 7519, 4.1.3).
    private static func audience(_ value: JSONValue) throws(JSONTypeError) -> [String] {
        if case .string(let text) = value { return [text] }
        return try value.asArray { element throws(JSONTypeError) in try element.asString() }
    }
}
