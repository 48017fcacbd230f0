/// Where the keys of a vault lie.
@nonexhaustive
public enum KeyVaultProtection: Hashable, Sendable {
    /// In a file that the operating system's access rights protect; a copy of the file is a copy of the keys.
    case software
    /// In a chip that signs but does not give keys out.
    case hardware
}
