public import MobileAuthentication

extension ScriptedUser: ChannelLinker {
    /// Types ``digits``, or confirms that the other screen shows the same.
    ///
    /// A user without ``digits`` cannot type them and cancels; they compare only when they have none, or the same.
    public func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) {
        var prompt = Prompt(.linkChannel)
        prompt.digitCount = context.digitCount
        prompt.refusal = context.lastRecoverableError?.localizedDescription
        prompt.transaction = context.transactionConfirmationData.map { String(decoding: $0, as: UTF8.self) }
        let (shown, read) = (context.digits, digits)
        react(
            to: prompt,
            Question(
                approve: {
                    if let shown, read == nil || read == shown {
                        handler.confirm()
                    } else if shown == nil, let read {
                        handler.digits(read)
                    } else {
                        handler.cancel()
                    }
                },
                deny: { handler.cancel() },
                enter: { text in if let text { handler.digits(text) } else { handler.cancel() } },
                report: { handler.cancel(reporting: .unexpected) }))
    }
}

extension ScriptedUser: DeregistrationConfirmer {
    /// Lets the registrations go; only a script says no.
    public func confirmDeregistration(
        context: any DeregistrationConfirmationContext, handler: any DeregistrationConfirmationHandler
    ) {
        var prompt = Prompt(.confirmDeregistration)
        prompt.choices = context.accounts.map(\.username)
        react(
            to: prompt,
            Question(approve: { handler.confirm() }, deny: { handler.cancel() }, enter: { _ in handler.cancel() }))
    }
}
