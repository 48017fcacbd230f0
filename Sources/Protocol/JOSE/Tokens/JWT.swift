import Octets
package import StrictJSON

/// The claims of a JSON Web Token (RFC 7519).
public struct JWTClaims: Sendable {
    /// Issuer of the token.
    public let issuer: String?
    /// Whom the token is about.
    public let subject: String?
    /// Whom the token is for; empty when nothing is said.
    public let audience: [String]
    /// Expiry time, in seconds since 1970.
    public let expirationTime: Int64?
    /// Start of validity, in seconds since 1970.
    public let notBefore: Int64?
    /// Time of issue, in seconds since 1970.
    public let issuedAt: Int64?
    /// All members, also the registered ones, as they were read.
    package let members: JSONObject

    /// The claim of this name when it is a string.
    public func text(_ name: String) -> String? {
        guard case .string(let text) = members[name] else { return nil }
        return text
    }

    /// The claim of this name when it is an array of strings; a single string counts as an array of one.
    public func texts(_ name: String) -> [String]? {
        switch members[name] {
        case .string(let text): return [text]
        case .array(let values):
            let texts = values.compactMap { value -> String? in
                guard case .string(let text) = value else { return nil }
                return text
            }
            return texts.count == values.count ? texts : nil
        default: return nil
        }
    }
}

extension JWTClaims {
    /// Reads the payload of a token: a JSON object without repeated members; of times only whole seconds count.
    ///
    /// Throws ``JOSEError/malformedClaims``.
    public init(payload: [UInt8]) throws(JOSEError) {
        let limits = JSONLimits(byteCount: CompactJWS.maximumByteCount, depth: 8)
        guard let value = try? JSONParser.parse(payload, limits: limits), case .object(let members) = value else {
            throw .malformedClaims
        }
        try self.init(members)
    }

    /// Claims for a token to be made, or from a payload that was read.
    ///
    /// Throws ``JOSEError/malformedClaims`` when a registered claim has a wrong type.
    package init(_ members: JSONObject) throws(JOSEError) {
        do throws(JSONTypeError) {
            issuer = try members.optionalString("iss")
            subject = try members.optionalString("sub")
            audience = try members.optional("aud") { value throws(JSONTypeError) in try Self.audience(value) } ?? []
            expirationTime = try members.optional("exp", Self.seconds)
            notBefore = try members.optional("nbf", Self.seconds)
            issuedAt = try members.optional("iat", Self.seconds)
        } catch {
            throw .malformedClaims
        }
        self.members = members
    }

    /// The JSON text of the claims, to be signed.
    public var payload: [UInt8] { JSONWriter.write(.object(members)) }

    /// Whole seconds of a NumericDate, which may have a fraction or an exponent (RFC 7519, 2).
    private static func seconds(_ value: JSONValue) throws(JSONTypeError) -> Int64 {
        guard case .number(let number) = value, number.integer == nil else { return try value.asInt64() }
        guard let seconds = Double(number.text), let whole = Int64(exactly: seconds.rounded(.down)) else {
            throw JSONTypeError(.outOfRange)
        }
        return whole
    }

    /// One string, or an array of them (RFC 7519, 4.1.3).
    private static func audience(_ value: JSONValue) throws(JSONTypeError) -> [String] {
        if case .string(let text) = value { return [text] }
        return try value.asArray { element throws(JSONTypeError) in try element.asString() }
    }
}

/// The registered claims of a JSON Web Token that we judge (RFC 7519, 4.1).
public enum JWTClaim: String, Hashable, Sendable {
    /// Issuer of the token.
    case issuer = "iss"
    /// Whom the token is about.
    case subject = "sub"
    /// Whom the token is for.
    case audience = "aud"
    /// Time at which the token expires.
    case expirationTime = "exp"
    /// Time before which the token is not valid.
    case notBefore = "nbf"
    /// Time of issue.
    case issuedAt = "iat"
}

/// Expected claims of a token (RFC 7519, section 4.1; RFC 8725, sections 3.8 to 3.10).
public struct JWTExpectation: Sendable {
    /// The issuer it must come from.
    public let issuer: String
    /// The audience it must be for; being one of several is enough.
    public let audience: String
    /// Limit of the remaining lifetime, in seconds.
    public let maximumLifetime: Int64
    /// Tolerated error of the issuer's clock, in seconds.
    public let clockTolerance: Int64

    /// Expectation of a token; lifetimes are 15 minutes and clocks 60 seconds off at most, unless said otherwise.
    public init(issuer: String, audience: String, maximumLifetime: Int64 = 900, clockTolerance: Int64 = 60) {
        self.issuer = issuer
        self.audience = audience
        self.maximumLifetime = maximumLifetime
        self.clockTolerance = clockTolerance
    }

    /// Judges claims at a moment, `now` in seconds since 1970.
    ///
    /// Throws ``JOSEError/missingClaim(_:)`` or ``JOSEError/refusedClaim(_:)``; the claim named is the first that does
    /// not hold.
    func require(_ claims: JWTClaims, now: Int64) throws(JOSEError) {
        guard let issuer = claims.issuer else { throw .missingClaim(.issuer) }
        guard issuer.hasSameOctets(as: self.issuer) else { throw .refusedClaim(.issuer) }
        guard !claims.audience.isEmpty else { throw .missingClaim(.audience) }
        guard claims.audience.contains(where: { $0.hasSameOctets(as: audience) }) else {
            throw .refusedClaim(.audience)
        }
        guard let subject = claims.subject else { throw .missingClaim(.subject) }
        guard !subject.isEmpty else { throw .refusedClaim(.subject) }
        guard let end = claims.expirationTime else { throw .missingClaim(.expirationTime) }
        // Saturating: an issuer may write any 64-bit number.
        guard end > Self.sum(now, -clockTolerance), end <= Self.sum(now, maximumLifetime + clockTolerance) else {
            throw .refusedClaim(.expirationTime)
        }
        let latestStart = Self.sum(now, clockTolerance)
        if let start = claims.notBefore, start > latestStart { throw .refusedClaim(.notBefore) }
        if let issued = claims.issuedAt, issued > latestStart { throw .refusedClaim(.issuedAt) }
    }

    private static func sum(_ moment: Int64, _ distance: Int64) -> Int64 {
        let (sum, overflow) = moment.addingReportingOverflow(distance)
        return overflow ? (distance > 0 ? .max : .min) : sum
    }
}
