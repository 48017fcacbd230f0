/// Who may ask for what.
package struct AuthorizationSettings: Sendable, Hashable {
    /// What a request for a registration has to bring.
    package enum Registration: String, Sendable, Hashable, CaseIterable {
        /// A valid token or cookie of the user.
        case required
        /// Nothing: whoever knows a user name may register a key for it. For closed networks and trials only.
        case none
    }

    /// Which login suffices to register one more credential for a user who has one already.
    package enum AdditionalCredential: String, Sendable, Hashable, CaseIterable {
        /// A token or cookie from a FIDO UAF authentication, so that a stolen password enrols no phone.
        case uafLogin = "uaf-login"
        /// Any login.
        case anyLogin = "any-login"
    }

    /// What a request for a registration has to bring.
    package var registration = Registration.required
    /// Which login suffices for a further credential.
    package var additionalCredential = AdditionalCredential.uafLogin
    /// Credentials that a user may have at the same time.
    package var maximumCredentialCount = 10

    /// The defaults.
    package init() {}
}
