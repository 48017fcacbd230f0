import Foundation
import MobileAuthentication

/// A question of the SDK as a screen shows it. Answer it once, or cancel it.
@MainActor
public struct Question {
    /// What the screen asks for.
    public enum Kind: Equatable, Sendable {
        /// A new PIN; `problem` says why the last one was refused.
        case newPIN(problem: String?)
        /// The PIN of a registration.
        case pin(problem: String?)
        /// One of several authenticators, by name.
        case authenticator([Choice])
        /// Consent to a sign-in, or to a text that the key then signs, for one of the accounts.
        case consent(text: String?, accounts: [String])
        /// The digits of the other screen.
        case digits(count: Int, problem: String?)
        /// Consent to the removal of registrations by a server.
        case removal(server: String)
    }

    /// An authenticator that the user can choose.
    public struct Choice: Equatable, Sendable, Identifiable {
        /// Model number of the authenticator.
        public let id: String
        /// Name for the user.
        public let name: String
    }

    public let kind: Kind
    let take: @MainActor (String) -> Void
    let cancel: @MainActor () -> Void
    /// Ends the operation and tells the server that the user did not begin it.
    let report: @MainActor () -> Void

    private init(
        _ kind: Kind, take: @escaping @MainActor (String) -> Void, cancel: @escaping @MainActor () -> Void,
        report: (@MainActor () -> Void)? = nil
    ) {
        (self.kind, self.take, self.cancel, self.report) = (kind, take, cancel, report ?? cancel)
    }
}

extension Question {
    /// The question of a step, or nil when there is nothing to ask: the step is answered then.
    init?(_ step: InteractionStep) {
        switch step {
        case .enrollPin(let context, let handler):
            self.init(
                .newPIN(problem: context.lastRecoverableError?.localizedDescription), take: { handler.pin($0) },
                cancel: { handler.cancel() })
        case .verifyPin(let context, let handler):
            self.init(
                .pin(problem: Self.problem(context.authenticatorProtectionStatus)), take: { handler.verify($0) },
                cancel: { handler.cancel() })
        case .selectAccount(let context, let handler): self.init(context, handler)
        case .selectAuthenticator(let context, let handler): self.init(context, handler)
        case .linkChannel(let context, let handler):
            self.init(
                .digits(count: context.digitCount, problem: context.lastRecoverableError?.localizedDescription),
                take: { handler.digits($0) }, cancel: { handler.cancel() },
                report: { handler.cancel(reporting: .unexpected) })
        case .confirmDeregistration(let context, let handler):
            self.init(
                .removal(server: context.server.baseUrl.absoluteString), take: { _ in handler.confirm() },
                cancel: { handler.cancel() })
        case .verifyBiometric(_, let handler):
            handler.verify()
            return nil
        case .verifyDevicePasscode(_, let handler):
            handler.verify()
            return nil
        default: return nil
        }
    }

    private init(_ context: any AccountSelectionContext, _ handler: any AccountSelectionHandler) {
        var accounts: [String] = []
        for authenticator in context.authenticators {
            for account in authenticator.registration.registeredAccounts
            where context.isPolicyCompliant(username: account.username, aaid: authenticator.aaid)
                && !accounts.contains(account.username)
            {
                accounts.append(account.username)
            }
        }
        let text = context.transactionConfirmationData.map { String(decoding: $0, as: UTF8.self) }
        self.init(
            .consent(text: text, accounts: accounts), take: { handler.username($0) }, cancel: { handler.cancel() },
            report: { handler.cancel(reporting: .unexpected) })
    }

    private init?(_ context: any AuthenticatorSelectionContext, _ handler: any AuthenticatorSelectionHandler) {
        let choices = context.authenticators.filter { context.isPolicyCompliant(authenticatorAaid: $0.aaid) }
            .map { Choice(id: $0.aaid, name: Self.name(ofModel: $0.aaid)) }
        guard choices.count > 1 else {
            if let only = choices.first { handler.aaid(only.id) } else { handler.cancel() }
            return nil
        }
        self.init(.authenticator(choices), take: { handler.aaid($0) }, cancel: { handler.cancel() })
    }

    private static func problem(_ status: PinAuthenticatorProtectionStatus) -> String? {
        guard case .LastAttemptFailed(let tries, let seconds) = status else { return nil }
        let wait = seconds > 0 ? " Wait \(seconds) seconds." : ""
        return "Wrong PIN; \(tries) attempts are left.\(wait)"
    }

    private static func name(ofModel aaid: String) -> String {
        switch AuthenticatorAaid(rawValue: aaid) {
        case .Pin: "PIN"
        case .Password: "Password"
        case .Fingerprint: "Touch ID"
        case .FaceRecognition: "Face ID"
        case .DevicePasscode: "Device passcode"
        default: aaid
        }
    }
}
