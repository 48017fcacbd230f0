import UAF

/// Asks the user whether a server may take registrations of this device back; implemented by the application.
///
/// It is asked before the token of an operation out of band is redeemed: until the user has said yes, nothing happens
/// here or at the server.
@preconcurrency @MainActor
public protocol DeregistrationConfirmer {
    /// Shows which server wants to take back what, and asks.
    ///
    /// Answer by calling one method of the handler once; a handler that is released without an answer counts as canceled.
    func confirmDeregistration(
        context: any DeregistrationConfirmationContext, handler: any DeregistrationConfirmationHandler)
}

/// What a deregistration that was begun out of band is about, as far as it is known before it is redeemed.
public protocol DeregistrationConfirmationContext: Encodable, Sendable {
    /// The server that has begun it: the one where the token is redeemed.
    var server: any Server { get }
    /// The user for whose record of this device the message was sealed; nil for a message that anybody could read.
    var username: Username? { get }
    /// The accounts at that server; the keys of no others can go.
    var accounts: [any Account] { get }
}

/// Takes what the user says; the first call wins, later ones do nothing.
public protocol DeregistrationConfirmationHandler: Sendable {
    /// The registrations may go.
    func confirm()

    /// Ends the operation as canceled; the token stays unredeemed.
    func cancel()
}

/// Makes deregistration confirmers from closures.
public enum DeregistrationConfirmation {
    /// A confirmer that answers with what a closure says; to throw means no.
    public static func async(
        _ answer: @escaping @MainActor (any DeregistrationConfirmationContext) async throws -> Bool
    ) -> any DeregistrationConfirmer {
        DeregistrationConfirmationClosure(answer)
    }
}

/// Answers with what a closure says.
private final class DeregistrationConfirmationClosure: DeregistrationConfirmer {
    private let answer: @MainActor (any DeregistrationConfirmationContext) async throws -> Bool

    nonisolated init(
        _ answer: @escaping @MainActor (any DeregistrationConfirmationContext) async throws -> Bool
    ) {
        self.answer = answer
    }

    func confirmDeregistration(
        context: any DeregistrationConfirmationContext, handler: any DeregistrationConfirmationHandler
    ) {
        let answer = answer
        Task {
            do {
                if try await answer(context) { handler.confirm() } else { handler.cancel() }
            } catch {
                handler.cancel()
            }
        }
    }
}

/// What the operation knows of a deregistration.
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

    /// The context of a question.
    init(_ question: DeregistrationConfirmationQuestion) {
        let server = RegisteredServer(baseUrl: question.server.url)
        registeredServer = server
        registeredAccounts = question.usernames.map { RegisteredAccount(username: $0.text, server: server) }
        username = question.addressee?.text
    }
}

/// Hands the answer to the waiting operation.
final class DeregistrationConfirmationAnswer: DeregistrationConfirmationHandler {
    private let slot: AnswerSlot<Void>

    init(_ slot: AnswerSlot<Void>) { self.slot = slot }

    deinit { slot.answer(.canceled) }

    func confirm() { slot.answer(.given(())) }

    func cancel() { slot.answer(.canceled) }
}

/// Asks whether a server may take registrations of this device back.
struct DeregistrationConfirmationQuestion: Hashable, Sendable {
    /// Where the token is redeemed.
    let server: ServerAddress
    /// The user for whose record of this device the message was sealed.
    let addressee: UserName?
    /// Whose keys could go.
    let usernames: [UserName]
    let limit: QuestionLimit
}
