package import HardwareKeys

/// Persistent store of a device's credentials.
///
/// Contract of a store: every ``update(_:)`` is atomic, isolated and durable. No other update, of this process or
/// another, comes between its read and its write; a crash at any moment leaves the state before or the one after,
/// whole; and when the call returns without an error the new state survives a power failure. When it throws, the state
/// is the one before. Attempts are counted and keys are written down through it, so a store that forgets an update it
/// has acknowledged gives extra attempts away.
///
/// Calls may wait for a file or a chip, and for another process that holds the store at most ten seconds. They never
/// ask the user and never need the main actor.
package protocol CredentialStore: Sendable {
    func contents() async throws(CredentialStoreError) -> StoredCredentials

    /// Reads, changes and writes in one step; what was written is durable when the call returns.
    ///
    /// `change` runs once, or again on a newer state when the first could not be written; it only computes. A change
    /// that leaves everything as it was writes nothing.
    func update<Value>(_ change: (inout StoredCredentials) -> Value) async throws(CredentialStoreError) -> Value

    /// Writes the record of the device once more: as much as a removal writes, and as durable.
    func requireWritable() async throws(CredentialStoreError)

    /// Waits for the right to make keys, ten seconds at most; one client of the store has it at a time.
    ///
    /// The right ends with its process, however that ends: a key that is written down as being made while no process has
    /// the right was left behind.
    func keyMaking() async throws(CredentialStoreError) -> FileLock

    /// The same without waiting: nil while another client makes keys.
    func tryKeyMaking() throws(CredentialStoreError) -> FileLock?
}

/// Errors of reading and writing a credential store.
@nonexhaustive
package enum CredentialStoreError: Error, Hashable, Sendable {
    /// The file was changed, cut or belongs to another vault: nothing in it can be used. A damaged record of one
    /// credential is no error, see ``StoredCredentials/lost``.
    case damaged
    /// An older copy of the files was put in the place of the newest, and the chip's counter tells: put the newest
    /// back, or delete the files and register again.
    case rolledBack
    /// The table of commits beside the store is gone, by which the chip's counter tells the newest files: put it back, or
    /// delete the files and register again.
    case lostLedger
    /// The chip's counter was removed or made anew, so that nothing tells the newest files: delete the files and register
    /// again.
    case lostCounter
    /// A newer version of this library wrote the file: update the application.
    case newerFormat(version: UInt8)
    /// Others may read the file or directory: take the rights away from group and others.
    case exposed
    /// Another process holds the store: try again.
    case busy
    /// The operating system refused; the number is its `errno`. What was stored before is unchanged.
    case storageFailed(code: Int32)
    /// The vault could not give the key of the store.
    case vault(KeyVaultError)
}

extension CredentialStoreError {
    init(_ error: FileSystemError) {
        switch error {
        case .absent, .present, .tooLarge: self = .damaged
        case .exposed: self = .exposed
        case .busy: self = .busy
        case .failed(let code): self = .storageFailed(code: code)
        @unknown default: self = .damaged
        }
    }
}
