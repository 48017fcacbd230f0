public import Foundation
import Octets
import UAF
import UAFClient

/// Lets the user link this device to the screen where an operation was begun; implemented by the application.
///
/// A server that wants it says so in the payload. It stops an attacker who begins operations in the name of a user and
/// hopes that the user confirms one of them.
///
/// ```swift
/// struct LinkScreen: ChannelLinker {
///     let keypad: Keypad
///
///     func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) {
///         switch context.mode {
///         case .typed: keypad.ask("Which \(context.digitCount) digits does it show?") { handler.digits($0) }
///         case .compare:
///             keypad.ask("Does it show \(context.digits ?? "nothing")?") { answer in
///                 if answer == "yes" { handler.confirm() } else { handler.cancel() }
///             }
///         @unknown default: handler.cancel()
///         }
///     }
/// }
/// ```
@preconcurrency @MainActor
public protocol ChannelLinker {
    /// Asks for the digits of the other screen, or whether both show the same.
    ///
    /// Answer by calling one method of the handler once; a handler that is released without an answer counts as
    /// canceled. It is called again with an error when the answer was not of the form asked for.
    func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler)
}

/// Context of the link between this device and the screen where the operation was begun.
public protocol ChannelLinkingContext: Encodable, Sendable {
    /// User who authenticates.
    var username: Username { get }
    /// Whether digits are typed or compared.
    var mode: ChannelLinkingMode { get }
    /// Number of digits, 2 to 8.
    var digitCount: Int { get }
    /// The digits to show for comparison; nil where the user types them, because this device does not know them.
    var digits: String? { get }
    /// The text of a transaction, UTF-8.
    var transactionConfirmationData: Data? { get }
    /// Reason why the user is asked again; nil the first time.
    var lastRecoverableError: ChannelLinkingError? { get }
}

/// Takes what the user read or saw on the other screen; the first call wins, later ones do nothing.
public protocol ChannelLinkingHandler: InteractionHandler {
    /// Hands over the digits that the user typed.
    ///
    /// In a comparison, digits other than the context's end the operation as canceled. Text without the right
    /// number of digits leads to another question. Wrong digits end the operation: the server counts them.
    func digits(_ digits: String)

    /// The user saw the same digits on both screens; where digits are typed, it ends the operation as canceled.
    func confirm()

    /// Ends the operation with `userCanceled`; `report` tells the server that the user did not ask for it.
    func cancel(reporting report: CancellationReport)
}

/// Way in which the user shows that this device answers the screen in front of them.
@nonexhaustive
public enum ChannelLinkingMode: String, Hashable, Codable, Sendable {
    /// The user types the digits that the other screen shows into this device.
    case typed
    /// Both screens show the same digits, and the user compares them.
    case compare
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Refusal of the digits of the other screen; the user is asked again.
@nonexhaustive
public enum ChannelLinkingError: LocalizedError, Sendable {
    /// The text did not have the right number of digits.
    case InvalidDigits(description: String, cause: (any Error)?)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidDigits(let description, _): description
        }
    }
}

/// Makes channel linkers from closures.
public enum ChannelLinking {
    /// A linker that answers with the digits that a closure gives.
    ///
    /// In a comparison, the closure gives the digits of the context once the user has seen the same on the other
    /// screen. It may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any ChannelLinkingContext) async throws -> String
    ) -> any ChannelLinker {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: ChannelLinker
where Context == any ChannelLinkingContext, Policy == Void, Value == String {
    func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) {
        respond(to: context, by: handler) { handler.digits($0) }
    }
}

/// Snapshot of the operation, presented as ``ChannelLinkingContext``.
struct ChannelLinkingState: ChannelLinkingContext {
    let username: Username
    let mode: ChannelLinkingMode
    let digitCount: Int
    let digits: String?
    let transactionConfirmationData: Data?
    let lastRecoverableError: ChannelLinkingError?

    private enum CodingKeys: String, CodingKey {
        case username, mode, digitCount, digits, transactionConfirmationData
    }
}

extension ChannelLinkingState {
    init(_ question: LinkingQuestion) {
        self.init(
            username: question.username.text, mode: question.shownDigits == nil ? .typed : .compare,
            digitCount: question.digitCount, digits: question.shownDigits?.reveal(),
            transactionConfirmationData: question.transactionText.map { Data($0) },
            lastRecoverableError: question.wasMalformed
                ? .InvalidDigits(
                    description: SDKText.linkingDigits(question.digitCount).localized, cause: nil) : nil)
    }
}

extension ChannelLinkingState: Redacted {
    /// The mode, without the digits.
    var description: String { "ChannelLinkingState(\(mode.rawValue))" }
}

/// Handler that resumes the waiting operation with the user's answer.
final class ChannelLinkingAnswer: ChannelLinkingHandler {
    private let question: OpenQuestion<String>
    private let shownDigits: Sensitive<String>?

    init(_ question: OpenQuestion<String>, shownDigits: Sensitive<String>?) {
        self.question = question
        self.shownDigits = shownDigits
    }

    deinit { question.fill(.canceled) }

    func digits(_ digits: String) { question.fill(.given(digits)) }

    func confirm() { question.fill((shownDigits?.reveal()).map(UserAnswer.given) ?? .canceled) }

    func cancel() { question.fill(.canceled) }

    func cancel(reporting report: CancellationReport) { question.fill(report == .unexpected ? .denied : .canceled) }

    func onEnd(_ action: @escaping @MainActor () -> Void) { question.onEnd(action) }
}
