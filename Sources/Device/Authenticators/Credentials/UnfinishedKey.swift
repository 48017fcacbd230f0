import HardwareKeys

/// A key of the vault that belongs to no credential: written down before it is made, and before it is destroyed.
///
/// What a crash leaves behind is found by these entries and destroyed.
struct UnfinishedKey: Hashable, Sendable {
    /// How far the key is.
    enum Stage: UInt8, Sendable {
        /// It may exist, and nothing refers to it yet.
        case making = 1
        /// Nothing refers to it any more, and it has to be destroyed.
        case removed = 2
    }

    let key: KeyReference
    var stage: Stage
}
