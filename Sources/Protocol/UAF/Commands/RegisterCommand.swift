/// Asks an authenticator to make a key (FIDO UAF Authenticator Commands 1.1, 6.2.1).
package struct RegisterCommand: Hashable, Sendable {
    /// Index of the authenticator within its module.
    package var index: UInt8
    /// The application, for an authenticator that shows or binds it.
    package var appID: AppID?
    /// Hash of the `fcParams` text.
    package var finalChallengeHash: [UInt8]
    /// Name of the account, at most 128 bytes.
    package var username: UserName
    /// Requested attestation of the key.
    package var attestationType: AttestationType
    /// KHAccessToken that later uses of the key must present, at most 32 bytes.
    package var accessToken: [UInt8]
    /// Proof of an earlier user verification.
    package var userVerifyToken: [UInt8]?
    /// Extensions.
    package var extensions: [AssertionExtension] = []

    /// Makes a command without token and extensions.
    package init(
        index: UInt8, appID: AppID?, finalChallengeHash: [UInt8], username: UserName,
        attestationType: AttestationType, accessToken: [UInt8]
    ) {
        self.index = index
        self.appID = appID
        self.finalChallengeHash = finalChallengeHash
        self.username = username
        self.attestationType = attestationType
        self.accessToken = accessToken
    }
}
