/// Smallest part that was found of a history that no order explains, printed as a timeline.
///
/// It ends with the first answer that no order explains. Of the operations before, those stay whose answers are needed: when
/// any one of them is forgotten, there is an order again. The others may have taken effect in their time or not: there is
/// no order all the same.
package struct Counterexample<Model: SequentialModel>: Sendable {
    package typealias Operation = RecordedOperation<Model.Call, Model.Answer>

    /// Most operations that are looked at one by one; before them only the states count that they can have led to.
    private static var windowSize: Int { 100 }
    /// Configurations that are followed at most to find out whether an answer is needed.
    private static var trialLimit: Int { 20_000 }

    /// Operations whose answers contradict each other, in the order of their invocations.
    package let operations: [Operation]
    /// Operation whose answer is the first that no order explains.
    package let failure: Operation
    /// Operations before the failure whose answers make no difference.
    package let otherCount: Int
    /// States in which the object can have been before `operations`.
    package let startingStates: [Model.State]

    /// Shrinks the history whose last event in `events` is the first that no order explains.
    init(_ model: Model, _ history: [Operation], _ events: [HistoryEvent]) {
        var trial = Trial(model, history, events, windowSize: Self.windowSize, limit: Self.trialLimit)
        let failing = events.last?.operation ?? 0
        var needed = trial.candidates.filter { $0 != failing }
        var size = max(needed.count / 2, 1)
        while !needed.isEmpty {
            var position = 0
            while position < needed.count {
                let chunk = needed[position..<min(position + size, needed.count)]
                if trial.isRefused(forgetting: Set(chunk)) {
                    trial.forget(chunk)
                    needed.removeSubrange(chunk.indices)
                } else {
                    position += size
                }
            }
            guard size > 1 else { break }
            size /= 2
        }
        let kept = trial.held + needed + [failing]
        operations = kept.map { history[$0] }.sorted { $0.span.start < $1.span.start }
        failure = history[failing]
        otherCount = Set(events.map(\.operation)).count - kept.count
        startingStates = trial.startingStates
    }

    /// Repeated search in the last part of a history, with some answers forgotten.
    private struct Trial {
        /// Operations that begin in the part.
        let candidates: [Int]
        /// Operations that were under way when the part begins.
        let held: [Int]
        private let start: LinearizationSearch<Model>
        private let events: [HistoryEvent]
        private let history: [Operation]
        private var forgotten: Set<Int> = []

        init(
            _ model: Model, _ history: [Operation], _ events: [HistoryEvent], windowSize: Int, limit: Int
        ) {
            let beginnings = events.indices.filter { !events[$0].isEnd }
            let cut = beginnings.count > windowSize ? beginnings[beginnings.count - windowSize] : 0
            var search = LinearizationSearch(model, configurationLimit: limit)
            for event in events[..<cut] { _ = search.advance(past: event, of: history[event.operation]) }
            start = LinearizationSearch(continuing: search, configurationLimit: limit)
            self.events = Array(events[cut...])
            self.history = history
            candidates = self.events.filter { !$0.isEnd }.map(\.operation)
            let begun = Set(candidates)
            held = self.events.filter { $0.isEnd && !begun.contains($0.operation) }.map(\.operation)
        }

        var startingStates: [Model.State] { Array(Set(start.configurations.map(\.state))) }

        mutating func forget(_ operations: ArraySlice<Int>) { forgotten.formUnion(operations) }

        /// Whether no order explains the part without these answers either.
        func isRefused(forgetting operations: Set<Int>) -> Bool {
            var search = start
            for event in events {
                let isForgotten = operations.contains(event.operation) || forgotten.contains(event.operation)
                let operation = history[event.operation]
                guard search.advance(past: event, of: isForgotten ? operation.withoutAnswer : operation) else {
                    return !search.isExhausted
                }
                if search.isExhausted { return false }
            }
            return false
        }
    }
}

extension Counterexample: CustomStringConvertible {
    /// The operations as a timeline, one line each, with the time in milliseconds since the first invocation.
    package var description: String {
        let states = startingStates.map { "\($0)" }.sorted().joined(separator: " or ")
        let others =
            otherCount == 0
            ? "" : "\nLeft out, since no effect of theirs would change that: \(otherCount) further operations."
        return """
            No order explains these answers, the last of which is "\(failure.call): \(answer(to: failure))".
            Before: \(states).
            \(Timeline(operations).text)\(others)
            """
    }

    private func answer(to operation: Operation) -> String { operation.answer.map(\.description) ?? "no answer" }
}
