public import Foundation
import Octets

/// What there is to choose from.
public protocol AuthenticatorSelectionContext: Encodable, Sendable {
    /// The account that registers or authenticates.
    var account: any Account { get }
    /// Every authenticator that could be used, also those that the server does not accept.
    var authenticators: [any Authenticator] { get }
    /// The text of a transaction, UTF-8; show it before answering.
    var transactionConfirmationData: Data? { get }

    /// Whether the server accepts this authenticator.
    func isPolicyCompliant(authenticatorAaid aaid: String) -> Bool
}
