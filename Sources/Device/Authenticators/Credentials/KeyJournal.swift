import HardwareKeys

/// Recovery of interrupted key creations and deletions in the vault.
///
/// The store names every key before it is made and until it is destroyed. What a vault cannot destroy at the moment
/// stays written down for the next time.
package struct KeyJournal: Sendable {
    private let ports: AuthenticatorPorts

    package init(_ ports: AuthenticatorPorts) { self.ports = ports }

    /// Destroys the keys of removed credentials, and those whose making came to no end.
    ///
    /// It is called when a device is opened. Keys that another client of the device makes at that moment are left to
    /// it. Throws the errors of the store.
    package func recover() async throws(AuthenticatorError) {
        let right: FileLock?
        do {
            right = try ports.store.tryKeyMaking()
        } catch {
            throw .store(error)
        }
        defer { right?.release() }
        try await destroy { contents in
            if right != nil { contents.giveUp { _ in true } }
        }
    }

    /// Destroys the keys of removed credentials.
    ///
    /// Throws the errors of the store.
    package func destroyRemoved() async throws(AuthenticatorError) {
        try await destroy { _ in }
    }

    /// Destroys a key that was being made.
    func giveUp(_ key: KeyReference) async throws(AuthenticatorError) {
        try await destroy { contents in contents.giveUp { $0 == key } }
    }

    private func destroy(_ change: (inout StoredCredentials) -> Void) async throws(AuthenticatorError) {
        let removed = try await ports.updatingStore { contents throws(AuthenticatorError) in
            change(&contents)
            return contents.unfinished.filter { $0.stage == .removed }.map(\.key)
        }
        for key in removed {
            do {
                try await ports.vault.deleteKey(key)
            } catch {
                continue
            }
            try await ports.updatingStore { contents throws(AuthenticatorError) in contents.forget(key) }
        }
    }
}
