/// Checker of the history of one object against its sequential specification.
///
/// Operations on different objects have nothing to do with each other: a history of many is linearizable when the part of
/// each object is (Herlihy and Wing 1990, theorem 1), so each part is checked by itself.
package struct LinearizabilityChecker<Model: SequentialModel>: Sendable {
    /// History of one object, in any order.
    package typealias History = [RecordedOperation<Model.Call, Model.Answer>]

    /// Result of a check.
    package enum Verdict: Sendable {
        /// There is an order that explains every answer.
        case linearizable
        /// There is none.
        case refused(Counterexample<Model>)
        /// More had to be tried than is allowed; nothing is known.
        case undecided
    }

    private let model: Model
    private let configurationLimit: Int

    /// Checker that follows at most `configurationLimit` configurations in one history.
    package init(_ model: Model, configurationLimit: Int = 2_000_000) {
        self.model = model
        self.configurationLimit = configurationLimit
    }

    /// Judges a history.
    package func verdict(on history: History) -> Verdict {
        let events = HistoryEvent.all(in: history)
        var search = LinearizationSearch(model, configurationLimit: configurationLimit)
        for (position, event) in events.enumerated() {
            guard search.advance(past: event, of: history[event.operation]) else {
                if search.isExhausted { return .undecided }
                return .refused(Counterexample(model, history, Array(events[...position])))
            }
            if search.isExhausted { return .undecided }
        }
        return .linearizable
    }
}
