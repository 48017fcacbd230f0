/// What is stored for a PIN: how its key is derived, and the private key sealed under it.
///
/// There is no verifier: whether a PIN is right shows only when the sealed key opens, and that needs a part of the key
/// that does not leave the device (SDK-5).
struct PINRecord: Hashable, Sendable {
    /// Number of bytes of ``salt``.
    static let saltByteCount = 32
    /// Number of bytes of ``sealedKey``: nonce 12, private key 32, tag 16.
    static let sealedKeyByteCount = 60

    let salt: [UInt8]
    let cost: ScryptCost
    let sealedKey: [UInt8]
}
