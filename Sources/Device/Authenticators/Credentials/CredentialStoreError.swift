package import HardwareKeys

/// Why a credential store could not be read or written.
@nonexhaustive
package enum CredentialStoreError: Error, Hashable, Sendable {
    /// The file was changed, cut or belongs to another vault: nothing in it can be used.
    case damaged
    /// An older copy of the files was put in the place of the newest, and the chip's counter tells: put the newest back, or
    /// delete the files and register again.
    case rolledBack
    /// A newer version of this library wrote the file: update the application.
    case newerFormat(version: UInt8)
    /// A version of this library before the first release wrote the file: delete it and register again.
    case olderFormat(version: UInt8)
    /// Others may read the file or directory: take the rights away from group and others.
    case exposed
    /// Another process holds the store: try again.
    case busy
    /// The operating system refused; the number is its `errno`. What was stored before is unchanged.
    case storageFailed(code: Int32)
    /// The vault could not give the key of the store.
    case vault(KeyVaultError)
}
