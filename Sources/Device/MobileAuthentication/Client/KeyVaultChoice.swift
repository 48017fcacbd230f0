/// Where the keys of the authenticators shall live.
public enum KeyVaultChoice: String, Hashable, Sendable {
    /// In the secure hardware of the platform; without it no client is made.
    case platform
    /// In software, encrypted on disk with a key that lies beside them: whoever copies the folder can try PINs.
    case software
}
