// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import JOSE

/// Listings of tokens and keys; each returns what it has made or read.
public enum JOSEListings {
    public static func token(_ text: String, keys document: [UInt8], now: Int64) throws -> String {
        // Listing: JOSE.md
        return user
    }

    public static func signature(_ text: String, by key: JWK) throws -> [UInt8] {
        // Listing: Compact.swift
        return payload
    }

    public static func unsigned(_ payload: [UInt8], sign: ([UInt8]) throws -> [UInt8]) throws -> String {
        // Listing: UnsignedJWS.swift
        return token
    }

    public static func key(_ publicKey: [UInt8]) throws -> (thumbprint: String, document: [UInt8]) {
        // Listing: JWK.swift
        return (thumbprint, document)
    }

    public static func encryption(_ plaintext: [UInt8], to receiver: JWK) throws -> [UInt8] {
        // Listing: CompactJWE.swift
        return point
    }

    public static func refusal(
        _ text: String, _ keys: JWKS, _ expectation: JWTExpectation, now: Int64
    ) -> String {
        var outcome = "accepted"
        func signIn(_ user: String) {}
        func askForFreshToken() { outcome = "expired" }
        func refuse(_ reason: JOSEError) { outcome = "refused" }
        // Listing: JOSEError.swift
        return outcome
    }
}
