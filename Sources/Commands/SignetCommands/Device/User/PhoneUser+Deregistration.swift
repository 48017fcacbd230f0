import MobileAuthentication

/// The loss of registrations that a server has begun out of band.
extension PhoneUser: DeregistrationConfirmer {
    /// Asks at the terminal, also a person whose secret comes from a file: that opens no key here.
    ///
    /// Nothing was redeemed yet, so there is nobody to tell that it was not them.
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
