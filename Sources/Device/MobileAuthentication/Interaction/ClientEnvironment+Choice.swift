extension ClientEnvironment {
    /// Lets the application's selector choose an authenticator.
    ///
    /// Throws ``CeremonyFailure/wrongUse(_:)`` when there is none, and ``CeremonyFailure/device(_:)`` when the
    /// credentials of the device cannot be read.
    func choice(
        _ question: SelectionQuestion, by selector: MainActorBox<any AuthenticatorSelector>?
    ) async throws(CeremonyFailure) -> UserAnswer<String> {
        guard let selector else { throw .wrongUse(MissingParameterError("authenticatorSelector")) }
        let context = try await AuthenticatorSelectionState(question, store.snapshot())
        return await dialog.ask(question.limit) { slot in
            selector.content.selectAuthenticator(context: context, handler: AuthenticatorSelectionAnswer(slot))
        }
    }
}
