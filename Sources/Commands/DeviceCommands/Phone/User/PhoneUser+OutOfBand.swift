import CommandSupport
import MobileAuthentication
import Octets

/// Channel linking with the screen where an operation was begun.
extension PhoneUser {
    func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) {
        answer(orElse: handler.cancel) { () async throws(CommandFailure) in
            if let error = context.lastRecoverableError, self.secrets.terminal == nil {
                throw .refused("BadDigits", error.errorDescription ?? "These digits do not have the expected form.")
            }
            switch context.mode {
            case .typed: return try await self.typedDigits(context, handler)
            case .compare: return try await self.comparison(context, handler)
            @unknown default: throw .local("UnknownLink", "the server asks for a link that this phone does not know")
            }
        }
    }

    private func typedDigits(
        _ context: any ChannelLinkingContext, _ handler: any ChannelLinkingHandler
    ) async throws(CommandFailure) -> (@MainActor () -> Void)? {
        if let digits = reply.digits?.reveal(), context.lastRecoverableError == nil {
            return { handler.digits(digits) }
        }
        guard let terminal = secrets.terminal else {
            throw .local(
                "DigitsNeeded",
                "the other screen shows \(context.digitCount) digits, and they are asked for: give them with --digits-file"
            )
        }
        if let error = context.lastRecoverableError { tell(error.errorDescription ?? "Those were not the digits.") }
        let question = "The \(context.digitCount) digits on the other screen (r: there is none, it was not me): "
        guard case .line(let line) = await terminal.ask(question) else { return nil }
        guard line.line.lowercased() != "r" else { return reportingRefusal(handler) }
        let digits = line.line.filter { $0 != " " }
        return { handler.digits(digits) }
    }

    private func comparison(
        _ context: any ChannelLinkingContext, _ handler: any ChannelLinkingHandler
    ) async throws(CommandFailure) -> (@MainActor () -> Void)? {
        let shown = context.digits ?? ""
        if let digits = reply.digits?.reveal() {
            guard digits == shown else { throw .refused("DigitsDiffer", "the two screens show different digits") }
            return { handler.confirm() }
        }
        guard let terminal = secrets.terminal else {
            throw .local(
                "DigitsNeeded",
                "the digits of the two screens have to be compared: give the other screen's digits with --digits-file")
        }
        let page = ConfirmationPage(text: nil, question: "Does the other screen show \(shown)?", terminal: terminal)
        switch await page.verdict() {
        case .approve: return { handler.confirm() }
        case .deny: return nil
        case .report: return reportingRefusal(handler)
        }
    }

    private func reportingRefusal(_ handler: any ChannelLinkingHandler) -> @MainActor () -> Void {
        denial = .report
        return refusal(handler.cancel, handler.cancel(reporting:))
    }
}

extension PhoneUser: DeregistrationConfirmer {
    /// Asks at the terminal, even when the secret comes from a file, because a deregistration does not use the secret.
    ///
    /// A denial cannot be reported to the server: the token has not been redeemed yet.
    func confirmDeregistration(
        context: any DeregistrationConfirmationContext, handler: any DeregistrationConfirmationHandler
    ) {
        answer(orElse: handler.cancel) { () async throws(CommandFailure) in
            guard await self.agrees(to: context) else {
                self.denial = .deny
                return nil
            }
            return { handler.confirm() }
        }
    }

    private func agrees(to context: any DeregistrationConfirmationContext) async -> Bool {
        guard reply.verdict == .approve else { return false }
        let server = ForeignText.name(context.server.baseUrl.absoluteString)
        let names = context.accounts.map { ForeignText.name($0.username) }.joined(separator: ", ")
        let subject = context.username.map { "It was sent for \(ForeignText.name($0)). " } ?? ""
        let sentence = "\(server) wants to take back registrations of this phone (\(names)). \(subject)"
        guard let terminal else {
            tell(sentence)
            return reply.agreesToDeregistration
        }
        if reply.agreesToDeregistration { return true }
        guard case .line(let answer) = await terminal.ask(sentence + "Do you want that? [y/N] ") else { return false }
        return ["y", "yes"].contains(answer.line.lowercased())
    }
}
