import Linearizability

/// Checker that tries every order, by the definition and without any reduction; for histories of a few operations.
struct ExhaustiveChecker<Model: SequentialModel> {
    typealias Operation = RecordedOperation<Model.Call, Model.Answer>

    let model: Model

    /// Whether an order explains every answer.
    func isLinearizable(_ history: [Operation]) -> Bool { explains(history, from: model.initialState) }

    private func explains(_ left: [Operation], from state: Model.State) -> Bool {
        guard left.contains(where: { $0.answer != nil }) else { return true }
        let firstEnd = left.filter { $0.answer != nil }.map(\.span.end).min() ?? .max
        return left.indices.contains { index in
            let operation = left[index]
            guard operation.span.start <= firstEnd else { return false }
            var others = left
            others.remove(at: index)
            // Those without an answer whose time is over have never taken effect.
            others.removeAll { $0.answer == nil && $0.span.end < operation.span.start }
            return model.outcomes(of: operation.call, in: state, during: operation.span).contains { outcome in
                (operation.answer == nil || operation.answer == outcome.answer) && explains(others, from: outcome.state)
            }
        }
    }
}
