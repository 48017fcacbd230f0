public import Foundation

/// Which accounts there are to choose from.
public protocol AccountSelectionContext: Encodable, Sendable {
    /// Every authenticator that could be used; the accounts are those they are registered for.
    var authenticators: [any Authenticator] { get }
    /// The text of a transaction, UTF-8; show it before answering.
    var transactionConfirmationData: Data? { get }

    /// Whether the server accepts this authenticator of this account.
    func isPolicyCompliant(username: Username, aaid: String) -> Bool
}
