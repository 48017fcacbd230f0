import HardwareKeys

/// What is stored for a PIN or password: how the secret of its key is derived from it.
///
/// There is no verifier: whether what was typed is right is known only to the vault that holds the key (SDK-5).
struct SecretRecord: Hashable, Sendable {
    /// Number of bytes of ``salt``.
    static let saltByteCount = 32

    let salt: [UInt8]
    let cost: ScryptCost
    /// What is added (XOR) to the derived bytes so that a record of another cost leads to the same secret.
    ///
    /// Zeros at first. Alone it says nothing about what the user typed: for every text there is a secret that fits. Beside
    /// the record that it replaced it tells right texts from wrong ones without the vault; both lie sealed in the store,
    /// and a record of a key in a chip is never replaced.
    let mask: [UInt8]
    /// Differs before and after a change, so that nobody puts a record of the old PIN or password in its place.
    private(set) var revision: UInt32

    init(
        salt: [UInt8], cost: ScryptCost, mask: [UInt8] = [UInt8](repeating: 0, count: VaultSecret.byteCount),
        revision: UInt32 = 0
    ) {
        self.salt = salt
        self.cost = cost
        self.mask = mask
        self.revision = revision
    }

    /// Marks that the PIN or password is about to change.
    mutating func revise() {
        revision &+= 1
    }

    /// A record for a new key.
    static func fresh(_ cost: ScryptCost) -> SecretRecord {
        SecretRecord(salt: FreshOctets.make(count: saltByteCount), cost: cost)
    }
}
