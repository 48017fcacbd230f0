import Octets

/// What a token's claims must say to be accepted (RFC 7519, 4.1; RFC 8725, 3.8 to 3.10).
public struct JWTExpectation: Sendable {
    /// The issuer it must come from.
    public let issuer: String
    /// The audience it must be for; being one of several is enough.
    public let audience: String
    /// How long it may live from now on at most, in seconds.
    public let maximumLifetime: Int64
    /// How far the issuer's clock may be off, in seconds.
    public let clockTolerance: Int64

    /// What a token must say; lifetimes are 15 minutes and clocks 60 seconds off at most, unless said otherwise.
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
