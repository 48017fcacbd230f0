/// Lets the user choose an account, where a server asks for whoever is there; implemented by the application.
@preconcurrency @MainActor
public protocol AccountSelector {
    /// Asks for one of the accounts that the authenticators of the context are registered for.
    ///
    /// The text of a transaction has to be shown and confirmed before the handler is answered; a handler that is released
    /// without an answer counts as canceled.
    func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler)
}
