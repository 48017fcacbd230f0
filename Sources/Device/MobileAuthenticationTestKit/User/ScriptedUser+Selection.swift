public import MobileAuthentication

extension ScriptedUser: AuthenticatorSelector, AccountSelector {
    /// Chooses ``authenticator``, or the first that the server accepts.
    public func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        var prompt = Prompt(.selectAuthenticator)
        prompt.choices = context.authenticators.map(\.aaid).filter {
            context.isPolicyCompliant(authenticatorAaid: $0)
        }
        prompt.transaction = context.transactionConfirmationData.map { String(decoding: $0, as: UTF8.self) }
        let offered = context.authenticators.map(\.aaid)
        let wanted = authenticator.flatMap { kind in offered.first { AuthenticatorAaid(rawValue: $0) == kind } }
        let choice = authenticator == nil ? prompt.choices.first : wanted
        react(
            to: prompt,
            Question(
                approve: { if let choice { handler.aaid(choice) } else { handler.cancel() } },
                deny: { handler.cancel() },
                enter: { text in if let text { handler.aaid(text) } else { handler.cancel() } },
                report: { handler.cancel(reporting: .unexpected) }))
    }

    /// Chooses ``username``, or the first account of which the server accepts an authenticator.
    public func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler) {
        var prompt = Prompt(.selectAccount)
        for authenticator in context.authenticators {
            let accounts = authenticator.registration.registeredAccounts.map(\.username)
            prompt.choices += accounts.filter { username in
                !prompt.choices.contains(username)
                    && context.isPolicyCompliant(username: username, aaid: authenticator.aaid)
            }
        }
        prompt.transaction = context.transactionConfirmationData.map { String(decoding: $0, as: UTF8.self) }
        let choice = username ?? prompt.choices.first
        react(
            to: prompt,
            Question(
                approve: { if let choice { handler.username(choice) } else { handler.cancel() } },
                deny: { handler.cancel() },
                enter: { text in if let text { handler.username(text) } else { handler.cancel() } },
                report: { handler.cancel(reporting: .unexpected) }))
    }
}
