package import HardwareKeys

/// The keys of this installation for its servers: one signs requests of the device, one opens what is encrypted to it.
///
/// They are made in the vault with the first registration at a server, need no user, and go with the last credential
/// there.
package struct DeviceKeyring: Sendable {
    private let ports: AuthenticatorPorts

    package init(_ ports: AuthenticatorPorts) { self.ports = ports }

    /// The public keys for a server, which are made when there are none.
    ///
    /// `server` is spelled as in the credentials of its accounts. Throws ``AuthenticatorError/storeFull`` and the
    /// errors of store and vault.
    package func makeKeys(for server: String) async throws(AuthenticatorError) -> DevicePublicKeys {
        if let keys = try await stored(server) { return keys.publicKeys }
        let right = try await ports.keyMaking()
        defer { right.release() }
        let signing = KeyReference.fresh()
        let agreement = KeyReference.fresh()
        try await ports.updatingStore { contents throws(AuthenticatorError) in
            guard contents.servers.count < StoredServerKeys.countLimit else { throw .storeFull }
            try contents.begin(signing)
            try contents.begin(agreement)
        }
        do throws(AuthenticatorError) {
            guard
                let publicKeys = DevicePublicKeys(
                    signing: try await make(signing, for: .signing),
                    agreement: try await make(agreement, for: .agreement))
            else { throw .vault(.damaged) }
            let keys = StoredServerKeys(
                server: server, signing: signing, agreement: agreement, publicKeys: publicKeys)
            return try await ports.updatingStore { contents throws(AuthenticatorError) in
                try contents.insert(keys).publicKeys
            }
        } catch {
            // What cannot be destroyed now is destroyed when the device is opened again.
            try? await KeyJournal(ports).giveUp(signing)
            try? await KeyJournal(ports).giveUp(agreement)
            throw error
        }
    }

    /// Signs for a server (ECDSA with SHA-256 on P-256: r and s, 32 bytes each).
    ///
    /// Throws ``AuthenticatorError/keyDisappearedPermanently`` when there is no key, and the errors of store and vault.
    package func sign(_ message: [UInt8], for server: String) async throws(AuthenticatorError) -> [UInt8] {
        guard let keys = try await stored(server) else { throw .keyDisappearedPermanently }
        do throws(KeyVaultError) {
            return try await ports.vault.sign(message, with: keys.signing)
        } catch {
            throw AuthenticatorError(vault: error)
        }
    }

    /// Agrees with a point of a server (uncompressed, 65 bytes) on a secret: the x coordinate of the shared point.
    ///
    /// Throws ``AuthenticatorError/keyDisappearedPermanently`` when there is no key, and the errors of store and vault.
    package func agree(with point: [UInt8], for server: String) async throws(AuthenticatorError) -> VaultSecret {
        guard let keys = try await stored(server) else { throw .keyDisappearedPermanently }
        do throws(KeyVaultError) {
            return try await ports.vault.agree(with: point, using: keys.agreement, authorizedBy: .none)
        } catch {
            throw AuthenticatorError(vault: error)
        }
    }

    private func stored(_ server: String) async throws(AuthenticatorError) -> StoredServerKeys? {
        do throws(CredentialStoreError) {
            return try await ports.store.contents().serverKeys(of: server)
        } catch {
            throw .store(error)
        }
    }

    /// Makes a key and gives its point: the last 65 bytes of SubjectPublicKeyInfo (RFC 5480, 2.2).
    private func make(
        _ reference: KeyReference, for use: KeyRequirements.Use
    ) async throws(AuthenticatorError) -> [UInt8] {
        do throws(KeyVaultError) {
            try await ports.vault.createKey(KeyRequirements(use: use), named: reference, authorizedBy: nil)
            return try await ports.vault.publicKey(of: reference).suffix(DevicePublicKeys.byteCount)
        } catch {
            throw AuthenticatorError(vault: error)
        }
    }
}
