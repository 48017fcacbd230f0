/// The protected header of a compact JWS, reduced to what is allowed in it.
///
/// The list of allowed members is closed: `alg`, `kid`, `typ`, `cty`, and the certificate hints `x5t` and `x5t#S256`,
/// which are read over. Everything else is refused, above all `crit` (we understand no extension, `b64` included) and
/// every member that brings or points to a key (`jwk`, `jku`, `x5c`, `x5u`): with them an attacker would choose the
/// key that his own token is verified with.
public struct JOSEHeader: Sendable {
    /// The algorithm that the token says it was made with.
    public let algorithm: JWSAlgorithm
    /// The identifier of the key; a hint that never decides alone.
    public let keyID: String?
    /// The media type of the whole token, for example `JWT`.
    public let type: String?
    /// The media type of the payload.
    public let contentType: String?

    /// A header for a token to be made.
    public init(algorithm: JWSAlgorithm, keyID: String? = nil, type: String? = nil, contentType: String? = nil) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.type = type
        self.contentType = contentType
    }
}
