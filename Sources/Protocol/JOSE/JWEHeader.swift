/// The protected header of a compact JWE, reduced to what is allowed in it.
///
/// The list of allowed members is closed: `alg`, `enc`, `epk`, `apu`, `apv`, `kid`, `typ` and `cty`. Everything else is
/// refused: `crit` (we understand no extension), `zip` (compressed content can grow without end and tells its length),
/// `p2c` and `p2s` (work that the sender chooses), and every member that brings or points to a key. `epk` must be a
/// point on P-256; whoever holds a header holds one that was checked.
public struct JWEHeader: Sendable {
    /// How the content key is handed over.
    public let algorithm: JWEAlgorithm
    /// The cipher of the content.
    public let encryption: ContentEncryption
    /// The sender's key of this one token, on P-256; nil only with ``JWEAlgorithm/rsaOAEP256``.
    public let ephemeralKey: JWK.Material?
    /// The identifier of the key it is for; a hint that never decides alone.
    public let keyID: String?
    /// The media type of the whole token.
    public let type: String?
    /// The media type of the plaintext.
    public let contentType: String?
    /// What the sender says about himself for the derivation of keys (`apu`); empty when nothing is said.
    public let partyU: [UInt8]
    /// What the sender says about the receiver for the derivation of keys (`apv`); empty when nothing is said.
    public let partyV: [UInt8]
}
