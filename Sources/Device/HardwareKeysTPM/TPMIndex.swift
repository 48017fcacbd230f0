/// One index of the memory of a chip.
public struct TPMIndex: Hashable, Sendable {
    /// Use of an index of the chip's memory.
    public enum Kind: Hashable, Sendable {
        /// The changes of a vault, for the detection of older copies.
        case changes
        /// The wrong secrets of one key.
        case wrongSecrets
        /// Something of another program.
        case other
    }

    /// Owner of an index.
    public enum Owner: Hashable, Sendable {
        /// A vault in one of the directories that were looked at, by its path.
        case vault(String)
        /// This account made it, and no vault that was looked at knows it: it may be
        /// ``TPMMemory/reclaim(_:besides:)``ed when the vault it was made for is gone.
        case orphan
        /// Another program, another account, or another installation of the operating system.
        case other
    }

    /// The number under which the chip keeps it.
    public let number: UInt32
    /// Use of the index.
    public let kind: Kind
    /// Owner of the index.
    public let owner: Owner
}
