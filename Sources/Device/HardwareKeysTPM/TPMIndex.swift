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
        /// A vault by its directory: one that was looked at, or one that the account's register names and that is
        /// still there.
        case vault(String)
        /// The register says that a vault in this directory made it, and no vault there needs it any more: it may be
        /// ``TPMMemory/reclaim(_:besides:)``ed, unless the vault was moved and not opened since.
        case orphan(String)
        /// It has the mark of this account and machine, and the register does not know it.
        ///
        /// A vault may need it: one under another home, or in a container with the same machine-id(5).
        case unregistered
        /// Another program, another account, or another installation of the operating system.
        case other
    }

    /// The number under which the chip keeps it.
    public let number: UInt32
    /// Use of the index.
    public let kind: Kind
    /// Owner of the index.
    public let owner: Owner

    /// Whether it was made for a vault that does not need it any more.
    public var isOrphan: Bool { if case .orphan = owner { true } else { false } }
}
