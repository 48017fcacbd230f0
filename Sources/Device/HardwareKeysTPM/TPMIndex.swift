/// One index of the memory of a chip.
public struct TPMIndex: Hashable, Sendable {
    /// What an index counts.
    public enum Kind: Hashable, Sendable {
        /// The changes of a vault, for the detection of older copies.
        case changes
        /// The wrong secrets of one key.
        case wrongSecrets
        /// Something of another program.
        case other
    }

    /// Whose an index is.
    public enum Owner: Hashable, Sendable {
        /// A vault in one of the directories that were looked at, by its path.
        case vault(String)
        /// This account made it, and no vault that was looked at knows it: it may be ``TPMMemory/reclaim(_:besides:)``ed
        /// when the vault it was made for is gone.
        case orphan
        /// Another program, another account, or another installation of the operating system.
        case other
    }

    /// The number under which the chip keeps it.
    public let number: UInt32
    /// What it counts.
    public let kind: Kind
    /// Whose it is.
    public let owner: Owner
}
