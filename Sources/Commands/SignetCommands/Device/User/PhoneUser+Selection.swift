import Foundation
import MobileAuthentication

extension PhoneUser {
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        answer(orElse: handler.cancel) { () async throws(CommandFailure) in
            guard try await self.confirms(context.transactionConfirmationData),
                let aaid = try await self.choice(in: context)
            else { return nil }
            return { handler.aaid(aaid) }
        }
    }

    /// Takes the first account: the commands of a phone name theirs.
    func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler) {
        answer(orElse: handler.cancel) { () async throws(CommandFailure) in
            let account = context.authenticators.flatMap(\.registration.registeredAccounts).first
            guard try await self.confirms(context.transactionConfirmationData), let account else { return nil }
            return { handler.username(account.username) }
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

    /// Shows the text of a transaction, if there is one, and asks whether it shall be signed; a person who is not there,
    /// because the secret comes from a file, has decided by giving it.
    private func confirms(_ transaction: Data?) async throws(CommandFailure) -> Bool {
        guard let transaction else { return true }
        let text = ForeignText(transaction)
        guard let terminal = secrets.terminal else {
            tell(text.lines.joined(separator: "\n"))
            return true
        }
        return await ConfirmationPage(text: text, terminal: terminal).isConfirmed()
    }
}
