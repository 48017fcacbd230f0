import Authenticators
public import Foundation
import Octets
import UAFClient

/// Lets the user choose an authenticator; implemented by the application.
///
/// ```swift
/// struct ChoiceScreen: AuthenticatorSelector {
///     let menu: Menu
///
///     func selectAuthenticator(
///         context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
///     ) {
///         let accepted = context.authenticators.map(\.aaid).filter(context.isPolicyCompliant(authenticatorAaid:))
///         menu.show(accepted) { choice in
///             if let choice { handler.aaid(choice) } else { handler.cancel() }
///         }
///     }
/// }
/// ```
@preconcurrency @MainActor
public protocol AuthenticatorSelector {
    /// Asks for one of the authenticators of the context.
    ///
    /// Answer by calling one method of the handler once; a handler that is released without an answer counts as
    /// canceled.
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler)
}

/// Authenticators to choose from.
public protocol AuthenticatorSelectionContext: Encodable, Sendable {
    /// The account that registers or authenticates.
    var account: any Account { get }
    /// Every authenticator that could be used, also those that the server does not accept.
    var authenticators: [any Authenticator] { get }
    /// The text of a transaction, UTF-8; show it before answering.
    var transactionConfirmationData: Data? { get }

    /// Whether the server accepts this authenticator; an AAID of another profile stands for its kind.
    func isPolicyCompliant(authenticatorAaid aaid: String) -> Bool
}

/// Takes the choice of the user; the first call wins, later ones do nothing.
public protocol AuthenticatorSelectionHandler: InteractionHandler {
    /// Chooses an authenticator of the context by its AAID; one of another profile stands for its kind.
    func aaid(_ aaid: String)

    /// Ends the operation with `userCanceled`; `report` tells the server that the user did not ask for it.
    func cancel(reporting report: CancellationReport)
}

extension AuthenticatorSelectionHandler {
    /// The same as ``cancel()``, for test doubles of an application.
    public func cancel(reporting report: CancellationReport) { cancel() }
}

/// Makes authenticator selectors from closures.
public enum AuthenticatorSelection {
    /// A selector that answers with the AAID that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any AuthenticatorSelectionContext) async throws -> String
    ) -> any AuthenticatorSelector {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: AuthenticatorSelector
where Context == any AuthenticatorSelectionContext, Policy == Void, Value == String {
    func selectAuthenticator(context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler) {
        respond(to: context, by: handler) { handler.aaid($0) }
    }
}

/// Snapshot of the operation, presented as ``AuthenticatorSelectionContext``.
struct AuthenticatorSelectionState: AuthenticatorSelectionContext {
    let registeredAccount: RegisteredAccount
    let choices: [AuthenticatorSnapshot]
    let compliantAaids: [String]
    let transactionConfirmationData: Data?
    let profile: DeviceProfile

    var account: any Account { registeredAccount }

    var authenticators: [any Authenticator] { choices }

    func isPolicyCompliant(authenticatorAaid aaid: String) -> Bool {
        let presented = profile.counterpart(of: aaid)
        return compliantAaids.contains { $0.hasSameOctets(as: presented) }
    }

    private enum CodingKeys: String, CodingKey {
        case registeredAccount = "account"
        case choices = "authenticators"
        case transactionConfirmationData
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(registeredAccount, forKey: .registeredAccount)
        try container.encode(choices, forKey: .choices)
        try container.encodeIfPresent(transactionConfirmationData, forKey: .transactionConfirmationData)
    }
}
