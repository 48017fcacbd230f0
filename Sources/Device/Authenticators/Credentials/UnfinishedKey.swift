import HardwareKeys

/// A key of the vault that belongs to no credential: written down before it is made, and before it is destroyed.
///
/// After a crash these entries lead to the keys that have to be destroyed.
struct UnfinishedKey: Hashable, Sendable {
    /// Progress of making or destroying the key; the raw value is stored.
    enum Stage: UInt8, Sendable {
        /// It may exist, and nothing refers to it yet.
        case making = 1
        /// Nothing refers to it any more, and it has to be destroyed.
        case removed = 2
    }

    let key: KeyReference
    var stage: Stage
}
