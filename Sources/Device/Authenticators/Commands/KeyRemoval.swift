package import UAF

/// Key removal: destroys keys of a caller (FIDO UAF Authenticator Commands 1.1, 6.4.4); needs no user.
///
/// It never tells whether a key was there: unknown keys, and keys of others, end the same way.
package struct KeyRemoval: Sendable {
    private let ports: AuthenticatorPorts

    package init(_ ports: AuthenticatorPorts) { self.ports = ports }

    /// Removes keys of the application: one key, or all of a model (`keyID` nil), or all (both nil).
    ///
    /// Only keys that were made for this caller are touched. Throws the errors of the store.
    package func perform(aaid: AAID?, keyID: KeyID?, access: KeyAccess) async throws(AuthenticatorError) {
        try await ports.updatingStore { contents throws(AuthenticatorError) in
            let token = access.token(for: contents.installation)
            let own = Set(contents.entries.filter { $0.accessToken == token }.map(\.credential.id))
            contents.delete { credential in
                own.contains(credential.id) && (aaid == nil || credential.id.aaid == aaid)
                    && (keyID == nil || credential.id.keyID == keyID)
            }
        }
        try await KeyJournal(ports).destroyRemoved()
    }
}
