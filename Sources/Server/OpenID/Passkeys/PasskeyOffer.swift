package import ServerCore

/// Registration of a passkey that waits for the answer of a browser.
package struct PasskeyOffer: Sendable, Hashable {
    package let userID: UserID
    /// Session at the provider that has asked; no other one may answer.
    package let session: BrowserSessionID
    /// 32 random octets.
    package let challenge: [UInt8]
    package let expiresAt: Timestamp

    package init(userID: UserID, session: BrowserSessionID, challenge: [UInt8], expiresAt: Timestamp) {
        self.userID = userID
        self.session = session
        self.challenge = challenge
        self.expiresAt = expiresAt
    }
}
