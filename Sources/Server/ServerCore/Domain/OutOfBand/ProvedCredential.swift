package import UAF

/// A credential that a ceremony has made or used.
package struct ProvedCredential: Sendable, Hashable {
    package let id: CredentialID
    /// The act of registration; the `extId` of the interface.
    package let registrationID: RegistrationID

    package init(id: CredentialID, registrationID: RegistrationID) {
        self.id = id
        self.registrationID = registrationID
    }
}
