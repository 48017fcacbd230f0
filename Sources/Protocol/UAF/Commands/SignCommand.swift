/// Asks an authenticator to sign (FIDO UAF Authenticator Commands 1.1, 6.3.1).
package struct SignCommand: Hashable, Sendable {
    /// Transaction for the user to confirm.
    package enum Transaction: Hashable, Sendable {
        /// The decoded content.
        case content([UInt8])
        /// Its hash, for a display outside the authenticator.
        case contentHash([UInt8])
    }

    /// Index of the authenticator within its module.
    package var index: UInt8
    /// The application, for an authenticator that shows or binds it.
    package var appID: AppID?
    /// Hash of the `fcParams` text.
    package var finalChallengeHash: [UInt8]
    /// The transaction, if there is one.
    package var transaction: Transaction?
    /// KHAccessToken of the key, at most 32 bytes.
    package var accessToken: [UInt8]
    /// Proof of an earlier user verification.
    package var userVerifyToken: [UInt8]?
    /// The keys that may sign; empty when the authenticator holds them itself.
    package var keyHandles: [[UInt8]]
    /// Extensions.
    package var extensions: [AssertionExtension] = []

    /// Makes a command without token and extensions.
    package init(
        index: UInt8, appID: AppID?, finalChallengeHash: [UInt8], transaction: Transaction?, accessToken: [UInt8],
        keyHandles: [[UInt8]]
    ) {
        self.index = index
        self.appID = appID
        self.finalChallengeHash = finalChallengeHash
        self.transaction = transaction
        self.accessToken = accessToken
        self.keyHandles = keyHandles
    }
}
