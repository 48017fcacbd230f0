/// Why a vault did not do what it was asked for.
@nonexhaustive
public enum KeyVaultError: Error, Hashable, Sendable {
    /// There is no vault at this place: make one first.
    case notInitialized
    /// There is a vault at this place already: open it, or choose another place.
    case alreadyInitialized
    /// The vault holds no key of this name: the credential that needs it has to be registered again.
    case unknownKey
    /// This vault has no keys of the kind asked for: choose another vault.
    case unsupportedRequirements
    /// Somebody else may read the file or directory: take the rights away from group and others, or make a new vault.
    case exposed
    /// A file is not what this vault wrote: it was changed, cut or belongs to another vault.
    case damaged
    /// A newer version of this library wrote the file: update the application.
    case newerFormat(version: UInt8)
    /// Another process keeps the vault locked: try again.
    case busy
    /// The operating system refused; the number is its `errno`.
    case storageFailed(code: Int32)
}
