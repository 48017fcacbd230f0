/// Makes account selectors from closures.
public enum AccountSelection {
    /// A selector that answers with the user name that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any AccountSelectionContext) async throws -> String
    ) -> any AccountSelector {
        ClosureAccountSelector(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosureAccountSelector: AccountSelector {
    private let answer: @MainActor (any AccountSelectionContext) async throws -> String

    nonisolated init(_ answer: @escaping @MainActor (any AccountSelectionContext) async throws -> String) {
        self.answer = answer
    }

    func selectAccount(context: any AccountSelectionContext, handler: any AccountSelectionHandler) {
        let answer = answer
        Task {
            do {
                handler.username(try await answer(context))
            } catch {
                handler.cancel()
            }
        }
    }
}
