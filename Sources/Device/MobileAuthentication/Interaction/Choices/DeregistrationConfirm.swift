import UAF
import UAFClient

/// Asks the user whether a server may remove registrations of this device; implemented by the application.
///
/// It is asked before the token of an operation out of band is redeemed: until the user has said yes, nothing happens
/// here or at the server.
@preconcurrency @MainActor
public protocol DeregistrationConfirmer {
    /// Shows which server wants to remove what, and asks.
    ///
    /// Answer by calling one method of the handler once; a handler that is released without an answer counts as
    /// canceled.
    func confirmDeregistration(
        context: any DeregistrationConfirmationContext, handler: any DeregistrationConfirmationHandler)
}

/// Context of a deregistration that was begun out of band, as far as it is known before it is redeemed.
public protocol DeregistrationConfirmationContext: Encodable, Sendable {
    /// The server that has begun it: the one where the token is redeemed.
    var server: any Server { get }
    /// The user for whose record of this device the message was sealed; nil for a message that was not sealed.
    var username: Username? { get }
    /// The accounts at that server; the keys of no others can go.
    var accounts: [any Account] { get }
}

/// Takes the decision of the user; the first call wins, later ones do nothing.
public protocol DeregistrationConfirmationHandler: InteractionHandler {
    /// Agrees to the removal of the registrations.
    func confirm()

    /// Ends the operation as canceled; the token stays unredeemed.
    func cancel()
}

/// Makes deregistration confirmers from closures.
public enum DeregistrationConfirmation {
    /// A confirmer that answers with the result of a closure; to throw means no.
    public static func async(
        _ answer: @escaping @MainActor (any DeregistrationConfirmationContext) async throws -> Bool
    ) -> any DeregistrationConfirmer {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: DeregistrationConfirmer
where Context == any DeregistrationConfirmationContext, Policy == Void, Value == Bool {
    func confirmDeregistration(
        context: any DeregistrationConfirmationContext, handler: any DeregistrationConfirmationHandler
    ) {
        respond(to: context, by: handler) { agrees in if agrees { handler.confirm() } else { handler.cancel() } }
    }
}

/// Snapshot of the operation, presented as ``DeregistrationConfirmationContext``.
struct DeregistrationConfirmationState: DeregistrationConfirmationContext {
    private let registeredServer: RegisteredServer
    private let registeredAccounts: [RegisteredAccount]
    let username: Username?

    var server: any Server { registeredServer }
    var accounts: [any Account] { registeredAccounts }

    private enum CodingKeys: String, CodingKey {
        case registeredServer = "server"
        case registeredAccounts = "accounts"
        case username
    }

    init(_ question: DeregistrationConfirmationQuestion) {
        let server = RegisteredServer(baseUrl: question.server.url)
        registeredServer = server
        registeredAccounts = question.usernames.map { RegisteredAccount(username: $0.text, server: server) }
        username = question.addressee?.text
    }
}
