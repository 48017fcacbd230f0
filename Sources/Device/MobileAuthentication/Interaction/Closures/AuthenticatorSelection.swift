/// Makes authenticator selectors from closures.
public enum AuthenticatorSelection {
    /// A selector that answers with the AAID that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any AuthenticatorSelectionContext) async throws -> String
    ) -> any AuthenticatorSelector {
        ClosureAuthenticatorSelector(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosureAuthenticatorSelector: AuthenticatorSelector {
    private let answer: @MainActor (any AuthenticatorSelectionContext) async throws -> String

    nonisolated init(_ answer: @escaping @MainActor (any AuthenticatorSelectionContext) async throws -> String) {
        self.answer = answer
    }

    func selectAuthenticator(context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler) {
        let answer = answer
        Task {
            do {
                handler.aaid(try await answer(context))
            } catch {
                handler.cancel()
            }
        }
    }
}
