import Authenticators
public import Foundation
import Octets
import UAFClient

/// Lets the user choose an account for a request that names no user; implemented by the application.
@preconcurrency @MainActor
public protocol AccountSelector {
    /// Asks for one of the accounts that the authenticators of the context are registered for.
    ///
    /// The text of a transaction has to be shown and confirmed before the handler is answered; a handler that is
    /// released without an answer counts as canceled.
    func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler)
}

/// Accounts to choose from.
public protocol AccountSelectionContext: Encodable, Sendable {
    /// Every authenticator that could be used; the accounts are those they are registered for.
    var authenticators: [any Authenticator] { get }
    /// The text of a transaction, UTF-8; show it before answering.
    var transactionConfirmationData: Data? { get }

    /// Whether the server accepts this authenticator of this account.
    func isPolicyCompliant(username: Username, aaid: String) -> Bool
}

/// Takes the choice of the user; the first call wins, later ones do nothing.
public protocol AccountSelectionHandler: InteractionHandler {
    /// Chooses an account by its user name; a name that is none of the accounts ends the operation with an error.
    func username(_ username: String)

    /// Ends the operation with `userCanceled`; `report` tells the server that the user did not ask for it.
    func cancel(reporting report: CancellationReport)
}

extension AccountSelectionHandler {
    /// The same as ``cancel()``, for test doubles of an application.
    public func cancel(reporting report: CancellationReport) { cancel() }
}

/// Makes account selectors from closures.
public enum AccountSelection {
    /// A selector that answers with the user name that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any AccountSelectionContext) async throws -> String
    ) -> any AccountSelector {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: AccountSelector
where Context == any AccountSelectionContext, Policy == Void, Value == String {
    func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler) {
        respond(to: context, by: handler) { handler.username($0) }
    }
}

/// Snapshot of the operation, presented as ``AccountSelectionContext``.
struct AccountSelectionState: AccountSelectionContext {
    /// An account and what the server accepts of it.
    struct Compliance: Sendable {
        let username: Username
        let aaids: [String]
    }

    let choices: [AuthenticatorSnapshot]
    let compliance: [Compliance]
    let transactionConfirmationData: Data?
    let profile: DeviceProfile

    var authenticators: [any Authenticator] { choices }

    func isPolicyCompliant(username: Username, aaid: String) -> Bool {
        let presented = profile.counterpart(of: aaid)
        return compliance.contains { account in
            account.username.hasSameOctets(as: username) && account.aaids.contains { $0.hasSameOctets(as: presented) }
        }
    }

    private enum CodingKeys: String, CodingKey {
        case choices = "authenticators"
        case transactionConfirmationData
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(choices, forKey: .choices)
        try container.encodeIfPresent(transactionConfirmationData, forKey: .transactionConfirmationData)
    }
}
