package import UAF

/// Parameters for making a key.
package struct KeyParameters: Hashable, Sendable {
    package let aaid: AAID
    package let username: UserName
    package let server: ServerAddress
    /// The effective AppID.
    package let appID: AppID
    package let finalChallenge: FinalChallengeParameters
    /// Algorithms that the server has named; nil when it has named none.
    package let acceptedAlgorithms: [AuthenticationAlgorithm]?
    package let choices: VerificationChoices
    /// Whether the server demands evidence that a chip holds the key.
    package let demandsAttestation: Bool
}

/// A key that was just made; the store holds it as a pending one.
package struct CreatedKey: Hashable, Sendable {
    package let credential: CredentialID
    /// The registration assertion, TLV.
    package let assertion: [UInt8]

    package init(credential: CredentialID, assertion: [UInt8]) {
        self.credential = credential
        self.assertion = assertion
    }
}

/// Consent with which an authenticator makes or uses a key.
package enum KeyConsent<Values: CarriedValues>: Sendable {
    /// The secret that the SDK checks: a PIN or a password.
    case secret(Values.Secret)
    /// The user is verified by the operating system.
    case presence(Values.Presence)
}
