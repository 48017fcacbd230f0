/// Makes channel linkers from closures.
public enum ChannelLinking {
    /// A linker that answers with the digits that a closure gives.
    ///
    /// Where digits are compared, the closure gives those of the context once the user has seen the same on the other
    /// screen. It may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any ChannelLinkingContext) async throws -> String
    ) -> any ChannelLinker {
        ClosureChannelLinker(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosureChannelLinker: ChannelLinker {
    private let answer: @MainActor (any ChannelLinkingContext) async throws -> String

    nonisolated init(_ answer: @escaping @MainActor (any ChannelLinkingContext) async throws -> String) {
        self.answer = answer
    }

    func linkChannel(context: any ChannelLinkingContext, handler: any ChannelLinkingHandler) {
        let answer = answer
        Task {
            do {
                handler.digits(try await answer(context))
            } catch {
                handler.cancel()
            }
        }
    }
}
