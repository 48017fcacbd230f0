import CommandSupport
import Foundation
import MobileAuthentication

extension PhoneUser {
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        answer(orElse: handler.cancel) { () async throws(CommandFailure) in
            guard await self.wants(context.transactionConfirmationData) else {
                return self.refusal(handler.cancel, handler.cancel(reporting:))
            }
            guard let aaid = try await self.choice(in: context) else { return nil }
            return { handler.aaid(aaid) }
        }
    }

    /// Asks for the account, because an out-of-band operation names no user.
    func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler) {
        answer(orElse: handler.cancel) { () async throws(CommandFailure) in
            let accounts = AccountChoice(context)
            let user = accounts.onlyName.map { " as \($0)" } ?? ""
            let question = "Another screen wants to go on\(user). Is that yours, and do you want it?"
            guard await self.wants(context.transactionConfirmationData, asking: question) else {
                return self.refusal(handler.cancel, handler.cancel(reporting:))
            }
            guard let name = try await accounts.name(self.reply.account, orAskedAt: self.secrets.terminal) else {
                return nil
            }
            return { handler.username(name) }
        }
    }

    private func choice(in context: any AuthenticatorSelectionContext) async throws(CommandFailure) -> String? {
        let accepted = context.authenticators.filter { context.isPolicyCompliant(authenticatorAaid: $0.aaid) }
        guard let first = accepted.first else {
            throw .refused("NoAuthenticator", "no authenticator of this phone fits the server's policy")
        }
        switch wish {
        case .first: return first.aaid
        case .kind(let choice): return try wanted(choice, in: context, accepted)
        case .asked(let terminal): return await chosen(among: accepted, at: terminal)
        }
    }

    private func wanted(
        _ choice: AuthenticatorChoice, in context: any AuthenticatorSelectionContext,
        _ accepted: [any Authenticator]
    ) throws(CommandFailure) -> String {
        func isWanted(_ authenticator: any Authenticator) -> Bool {
            AuthenticatorAaid(rawValue: authenticator.aaid) == choice.kind
        }
        if let match = accepted.first(where: isWanted) { return match.aaid }
        let isThere = context.authenticators.contains(where: isWanted)
        throw .refused(
            "NoAuthenticator",
            isThere
                ? "the server does not accept the authenticator \(choice.rawValue)"
                : "the authenticator \(choice.rawValue) cannot be used here: signet device authenticators tells more")
    }

    private func chosen(among accepted: [any Authenticator], at terminal: Terminal) async -> String? {
        guard accepted.count > 1 else { return accepted.first?.aaid }
        terminal.say("Which authenticator?\n")
        for (index, authenticator) in accepted.enumerated() {
            let kind = AuthenticatorAaid(rawValue: authenticator.aaid).map { AuthenticatorChoice($0).rawValue }
            terminal.say("  \(index + 1)  \(kind ?? "unknown") (\(authenticator.aaid))\n")
        }
        while case .line(let bytes) = await terminal.ask("Number [1]: ") {
            let line = bytes.line
            guard let number = line.isEmpty ? 1 : Int(line), accepted.indices.contains(number - 1) else { continue }
            return accepted[number - 1].aaid
        }
        return nil
    }

    /// Whether the user wants the operation, after they have seen its transaction text; a decision made before is not
    /// asked for again.
    ///
    /// An operation that the user began on this phone needs a confirmation of its text only. When the secret comes from
    /// a file, giving it counts as the approval.
    private func wants(_ transaction: Data?, asking question: String? = nil) async -> Bool {
        guard !hasConfirmed else { return true }
        let verdict = await verdict(on: transaction.map { ForeignText($0) }, question)
        denial = verdict == .approve ? nil : verdict
        hasConfirmed = denial == nil
        return hasConfirmed
    }

    private func verdict(on text: ForeignText?, _ question: String?) async -> OperationReply.Verdict {
        guard reply.verdict == .approve, text != nil || question != nil else { return reply.verdict }
        guard let terminal = secrets.terminal else {
            if let text { tell(text.lines.joined(separator: "\n")) }
            return .approve
        }
        return await ConfirmationPage(text: text, question: question ?? "Confirm?", terminal: terminal).verdict()
    }

    /// The handler's cancellation that matches the user's decision: a plain one, or one that is reported to the server.
    func refusal(
        _ cancel: @escaping @Sendable () -> Void, _ report: @escaping @Sendable (CancellationReport) -> Void
    ) -> @MainActor () -> Void {
        denial == .report ? { report(.unexpected) } : cancel
    }
}

struct AccountChoice {
    private let names: [String]

    init(_ context: any AccountSelectionContext) {
        var names: [String] = []
        for authenticator in context.authenticators {
            for account in authenticator.registration.registeredAccounts
            where context.isPolicyCompliant(username: account.username, aaid: authenticator.aaid)
                && !names.contains(account.username)
            {
                names.append(account.username)
            }
        }
        self.names = names
    }

    /// The only account, escaped for a terminal; nil where there are several.
    var onlyName: String? { names.count == 1 ? names.first.map(ForeignText.name) : nil }

    /// The account that `wanted` names, the only one, or the one that the user chooses; nil when the user chooses none.
    func name(_ wanted: String?, orAskedAt terminal: Terminal?) async throws(CommandFailure) -> String? {
        if let wanted {
            guard names.contains(wanted) else {
                throw .refused("NoAccount", "\(ForeignText.name(wanted)) cannot answer this on this phone")
            }
            return wanted
        }
        guard names.count != 1, let terminal else {
            guard let first = names.first else { throw .refused("NoAccount", "no user of this phone can answer this") }
            guard names.count == 1 else {
                throw .local("SeveralAccounts", "several users of this phone could answer: name one with --user")
            }
            return first
        }
        return await chosen(at: terminal)
    }

    private func chosen(at terminal: Terminal) async -> String? {
        terminal.say("Which user?\n")
        for (index, name) in names.enumerated() { terminal.say("  \(index + 1)  \(ForeignText.name(name))\n") }
        while case .line(let bytes) = await terminal.ask("Number [1]: ") {
            let line = bytes.line
            guard let number = line.isEmpty ? 1 : Int(line), names.indices.contains(number - 1) else { continue }
            return names[number - 1]
        }
        return nil
    }
}
