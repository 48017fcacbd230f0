package import ServerCore

/// Entry of the history that users see of themselves on the page of their devices; the last ``limit`` of each are kept.
package struct HistoryEntry: Sendable, Hashable {
    /// Entries of one user.
    package static let limit = 50

    /// Kind of entry; the texts of the languages are with the pages.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case signIn = "sign-in"
        case payment
        case denied
        case reported
        case deviceAdded = "device-added"
        case deviceRemoved = "device-removed"
        case passkeyAdded = "passkey-added"
        case passkeyRemoved = "passkey-removed"
        case locked
        case recoveryBegun = "recovery-begun"
        case recoveryEnded = "recovery-ended"
    }

    package let userID: UserID
    package let kind: Kind
    package let at: Timestamp
    /// System that asked, by its name for people; nil where none did.
    package let client: String?
    package let device: String?
    /// Chain and sequence of the record it was made of, so that it is written once.
    package let chainID: String
    package let sequence: Int64

    package init(
        userID: UserID, kind: Kind, at: Timestamp, client: String?, device: String?, chainID: String, sequence: Int64
    ) {
        self.userID = userID
        self.kind = kind
        self.at = at
        self.client = client
        self.device = device
        self.chainID = chainID
        self.sequence = sequence
    }
}
