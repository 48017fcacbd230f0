// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import JOSE

/// Listings of tokens and keys; each returns what it has made or read.
public enum JOSEListings {
    public static func token(_ text: String, keys document: [UInt8], now: Int64) throws -> String {
        // Listing begins
        let keys = try JWKS(json: document)
        let expectation = JWTExpectation(issuer: "https://login.example", audience: "bank", maximumLifetime: 300)
        let token = try VerifiedJWT(parsing: text, keys: keys, expectation: expectation, now: now)
        let user = token.subject
        // Listing ends
        return user
    }

    public static func signature(_ text: String, by key: JWK) throws -> [UInt8] {
        // Listing begins
        let token = try CompactJWS(parsing: text).verified(by: key)
        let payload = token.payload
        // Listing ends
        return payload
    }

    public static func unsigned(_ payload: [UInt8], sign: ([UInt8]) throws -> [UInt8]) throws -> String {
        // Listing begins
        let unsigned = UnsignedJWS(header: JOSEHeader(algorithm: .es256, keyID: "2026-1"), payload: payload)
        let token = unsigned.signed(with: try sign(unsigned.signingInput))
        // Listing ends
        return token
    }

    public static func key(_ publicKey: [UInt8]) throws -> (thumbprint: String, document: [UInt8]) {
        // Listing begins
        let key = try JWK(verifying: .init(p256SubjectPublicKeyInfo: publicKey), keyID: "2026-1")
        let thumbprint = JWKThumbprint(of: key).text
        let document = key.json
        // Listing ends
        return (thumbprint, document)
    }

    public static func encryption(_ plaintext: [UInt8], to receiver: JWK) throws -> [UInt8] {
        // Listing begins
        let token = try CompactJWE.seal(plaintext, to: receiver, contentType: "application/json")
        let received = try CompactJWE(parsing: token, accepting: JWEAcceptance(holderOf: receiver))
        let point = received.ephemeralKey  // The holder of the private key agrees on a secret with it.
        // Listing ends
        return point
    }

    public static func refusal(
        _ text: String, _ keys: JWKS, _ expectation: JWTExpectation, now: Int64
    ) -> String {
        var outcome = "accepted"
        func signIn(_ user: String) {}
        func askForFreshToken() { outcome = "expired" }
        func refuse(_ reason: JOSEError) { outcome = "refused" }
        // Listing begins
        do {
            signIn(try VerifiedJWT(parsing: text, keys: keys, expectation: expectation, now: now).subject)
        } catch .refusedClaim(.expirationTime) {
            askForFreshToken()
        } catch {
            refuse(error)
        }
        // Listing ends
        return outcome
    }
}
