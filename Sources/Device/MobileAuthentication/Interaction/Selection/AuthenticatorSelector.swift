/// Lets the user choose an authenticator; implemented by the application.
@preconcurrency @MainActor
public protocol AuthenticatorSelector {
    /// Asks for one of the authenticators of the context.
    ///
    /// Answer by calling one method of the handler once; a handler that is released without an answer counts as
    /// canceled.
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler)
}
