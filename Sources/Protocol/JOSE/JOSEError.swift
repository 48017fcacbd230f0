/// Reasons to refuse a key, a token or its claims.
///
/// No case carries text from the token. Everything that an attacker can send ends in one of these cases.
///
/// ```swift
/// do {
///     signIn(try VerifiedJWT(parsing: text, keys: keys, expectation: expectation, now: now).subject)
/// } catch .refusedClaim(.expirationTime) {
///     askForFreshToken()
/// } catch {
///     refuse(error)
/// }
/// ```
@nonexhaustive
public enum JOSEError: Error, Hashable, Sendable {
    /// The token is not the right number of parts of strict base64url with a JSON header, a part has a size that its
    /// algorithm does not know, or the token is too long.
    case malformedToken
    /// The header misses a member, has `crit` or one of a wrong type, or brings a point that is not on the curve; or a
    /// JWE's header has one that is not on the list of ``JWEHeader``.
    case refusedHeader
    /// The algorithm is none that we offer; `none` is one of them.
    case unsupportedAlgorithm
    /// The token was made with another algorithm than the key is for or its receiver accepts.
    case algorithmMismatch
    /// No key of the set goes with the token, or the token names another key than the one at hand.
    case unknownKey
    /// The document is not a key or a set of keys as RFC 7517 describes them, or two keys of a kind share an identifier.
    case malformedKey
    /// The key is well formed but of a type, curve or size that we do not offer, or meant for another use.
    case unsupportedKey
    /// The key holds private members where only a public key belongs.
    case privateKeyMaterial
    /// The signature does not hold.
    case invalidSignature
    /// The token was made for another key or changed on the way; nothing says which.
    case undecryptable
    /// The plaintext is longer than any reader takes.
    case oversizedPlaintext
    /// The payload is not a set of claims, or a registered claim has a wrong type.
    case malformedClaims
    /// A claim that has to be there is missing.
    case missingClaim(JWTClaim)
    /// A claim is there but does not hold: too late, too early, another issuer, another audience, too long a life.
    case refusedClaim(JWTClaim)
}
