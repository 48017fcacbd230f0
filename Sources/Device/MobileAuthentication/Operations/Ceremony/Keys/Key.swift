package import UAF

/// What an authenticator needs to know to make a key.
package struct KeyOrder: Hashable, Sendable {
    /// Which authenticator.
    package let aaid: AAID
    /// For whom, and for which server.
    package let username: UserName
    package let server: ServerAddress
    /// The effective AppID.
    package let appID: AppID
    /// What the assertion is bound to.
    package let finalChallenge: FinalChallengeParameters
    /// Which algorithms the server has named; nil when it has named none.
    package let acceptedAlgorithms: [AuthenticationAlgorithm]?
    /// How the operating system verifies the user.
    package let choices: VerificationChoices
}

/// A key that was just made; the store holds it as a pending one.
package struct CreatedKey: Hashable, Sendable {
    /// Which key on which model.
    package let credential: CredentialID
    /// The registration assertion, TLV.
    package let assertion: [UInt8]

    package init(credential: CredentialID, assertion: [UInt8]) {
        self.credential = credential
        self.assertion = assertion
    }
}
