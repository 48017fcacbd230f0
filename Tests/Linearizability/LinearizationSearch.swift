/// Search for an order that explains a history, event by event.
///
/// The search of Wing and Gong (1993) tries every operation that may come next. Three reductions keep it small: with
/// Lowe (2017) an operation takes effect just before the answer that needs it, and sets of effects that lead to the same
/// state are followed once; an operation that changes no state takes effect as soon as its answer fits; and of two
/// overlapping operations with the same call and answer the one that began and ended first comes first.
///
/// Between two events there is a set of configurations. It is empty from the first answer on that no order explains.
/// A value, so that a copy can go on from the middle of a history.
struct LinearizationSearch<Model: SequentialModel> {
    typealias Operation = RecordedOperation<Model.Call, Model.Answer>

    /// Operation under way, with its index in the history.
    private struct Pending {
        let operation: Operation
        let index: Int
        /// Index of an earlier operation without an answer that has the same call and ends no later.
        var twin: Int?
    }

    /// Place of an operation under way among the operations of its kind.
    private struct Slot {
        let number: Int
        let isAnswered: Bool

        /// Whether the operation has taken effect.
        func isIn(_ configuration: Configuration<Model.State>) -> Bool {
            (isAnswered ? configuration.answered : configuration.unanswered).contains(number)
        }

        func remove(from configuration: inout Configuration<Model.State>) {
            if isAnswered {
                configuration.answered.remove(number)
            } else {
                configuration.unanswered.remove(number)
            }
        }
    }

    private let model: Model
    private var configurationLimit: Int
    /// Configurations that hold now; at least one until the history is refused.
    private(set) var configurations: [Configuration<Model.State>]
    /// Configurations that were followed so far.
    private(set) var configurationCount = 0
    private var answered: [Pending?] = []
    private var unanswered: [Pending?] = []
    private var slots: [Int: Slot] = [:]

    /// Search from the initial state of the model.
    init(_ model: Model, configurationLimit: Int) {
        self.model = model
        self.configurationLimit = configurationLimit
        configurations = [Configuration(state: model.initialState)]
    }

    /// Search that goes on where another one has come to, with a limit of its own.
    init(continuing search: LinearizationSearch, configurationLimit: Int) {
        self = search
        self.configurationLimit = configurationLimit
        configurationCount = 0
    }

    /// Whether more configurations were followed than are allowed.
    var isExhausted: Bool { configurationCount > configurationLimit }

    /// Goes past one event; false when no order explains the answer, after which the search has ended.
    mutating func advance(past event: HistoryEvent, of operation: Operation) -> Bool {
        event.isEnd ? finish(event.operation) : begin(operation, event.operation)
    }

    // MARK: - Invocations

    private mutating func begin(_ operation: Operation, _ index: Int) -> Bool {
        var pending = Pending(operation: operation, index: index)
        guard let answer = operation.answer else {
            pending.twin = unanswered.compactMap { $0 }.filter { earlier in
                earlier.operation.call == operation.call && earlier.operation.span.end <= operation.span.end
            }.map(\.index).max()
            slots[index] = Slot(number: Self.place(pending, in: &unanswered), isAnswered: false)
            return true
        }
        let number = Self.place(pending, in: &answered)
        slots[index] = Slot(number: number, isAnswered: true)
        if model.isReadOnly(operation.call, answered: answer) {
            for position in configurations.indices where fits(operation, configurations[position].state) {
                configurations[position].answered.insert(number)
            }
        }
        return true
    }

    private static func place(_ pending: Pending, in places: inout [Pending?]) -> Int {
        guard let free = places.firstIndex(where: { $0 == nil }) else {
            places.append(pending)
            return places.count - 1
        }
        places[free] = pending
        return free
    }

    private func fits(_ operation: Operation, _ state: Model.State) -> Bool {
        model.outcomes(of: operation.call, in: state, during: operation.span).contains { $0.answer == operation.answer }
    }

    // MARK: - Ends

    /// Lets an answered operation take effect wherever it has not yet; one without an answer may also never do so.
    private mutating func finish(_ index: Int) -> Bool {
        guard let slot = slots.removeValue(forKey: index) else { return false }
        defer { if slot.isAnswered { answered[slot.number] = nil } else { unanswered[slot.number] = nil } }
        if slot.isAnswered, let single = onlySuccessor(slot) {
            configurations = [single]
            return true
        }
        var next = ConfigurationSet<Model.State>()
        var seen = ConfigurationSet<Model.State>()
        var work: [Configuration<Model.State>] = []
        for configuration in configurations {
            if !slot.isAnswered, !slot.isIn(configuration) { _ = next.insert(configuration) }
            sort(configuration, slot, &next, &seen, &work)
        }
        var position = 0
        while position < work.count, !isExhausted {
            let configuration = work[position]
            position += 1
            configurationCount += 1
            for successor in successors(of: configuration, before: slot) {
                sort(successor, slot, &next, &seen, &work)
            }
        }
        configurations = next.elements
        return !configurations.isEmpty
    }

    /// The short way of histories that hardly overlap: one configuration, and one way to go on.
    private mutating func onlySuccessor(_ slot: Slot) -> Configuration<Model.State>? {
        guard configurations.count == 1, var configuration = configurations.first else { return nil }
        configurationCount += 1
        if slot.isIn(configuration) {
            slot.remove(from: &configuration)
            return configuration
        }
        guard slots.isEmpty, let operation = answered[slot.number]?.operation else { return nil }
        let states = matching(operation, in: configuration.state)
        guard states.count == 1, let state = states.first else { return nil }
        configuration.state = state
        return configuration
    }

    /// Files a configuration: it has the effect of the operation in `slot`, or has to be followed.
    private func sort(
        _ configuration: Configuration<Model.State>, _ slot: Slot, _ next: inout ConfigurationSet<Model.State>,
        _ seen: inout ConfigurationSet<Model.State>, _ work: inout [Configuration<Model.State>]
    ) {
        guard slot.isIn(configuration) else {
            if seen.insert(configuration) { work.append(configuration) }
            return
        }
        var configuration = configuration
        slot.remove(from: &configuration)
        _ = next.insert(configuration)
    }

    /// Configurations after one operation more, of those that may come before the end of the one in `last` or are it.
    private func successors(
        of configuration: Configuration<Model.State>, before last: Slot
    ) -> [Configuration<Model.State>] {
        var successors: [Configuration<Model.State>] = []
        for number in answered.indices {
            guard let pending = answered[number], !configuration.answered.contains(number),
                (last.isAnswered && number == last.number) || !isPreceded(pending, in: configuration)
            else { continue }
            for state in matching(pending.operation, in: configuration.state) {
                var successor = configuration
                successor.state = state
                successor.answered.insert(number)
                successors.append(settled(successor))
            }
        }
        for number in unanswered.indices {
            guard let pending = unanswered[number], !configuration.unanswered.contains(number),
                pending.twin.flatMap({ slots[$0] })?.isIn(configuration) ?? true
            else { continue }
            for state in matching(pending.operation, in: configuration.state) where state != configuration.state {
                var successor = configuration
                successor.state = state
                successor.unanswered.insert(number)
                successors.append(settled(successor))
            }
        }
        return successors
    }

    /// States after an operation that is answered as it was.
    private func matching(_ operation: Operation, in state: Model.State) -> [Model.State] {
        model.outcomes(of: operation.call, in: state, during: operation.span).compactMap { outcome in
            operation.answer == nil || operation.answer == outcome.answer ? outcome.state : nil
        }
    }

    /// The configuration after every operation that changes nothing and whose answer fits.
    private func settled(_ configuration: Configuration<Model.State>) -> Configuration<Model.State> {
        var configuration = configuration
        for number in answered.indices {
            guard let pending = answered[number], !configuration.answered.contains(number),
                let answer = pending.operation.answer, model.isReadOnly(pending.operation.call, answered: answer),
                fits(pending.operation, configuration.state)
            else { continue }
            configuration.answered.insert(number)
        }
        return configuration
    }

    /// Whether an operation with the same call and answer, which began and ended before, has yet to take effect.
    private func isPreceded(_ pending: Pending, in configuration: Configuration<Model.State>) -> Bool {
        let operation = pending.operation
        return answered.indices.contains { number in
            guard let other = answered[number], other.index != pending.index,
                !configuration.answered.contains(number), other.operation.call == operation.call,
                other.operation.answer == operation.answer
            else { return false }
            let (first, second) = (other.operation.span, operation.span)
            guard first != second else { return other.index < pending.index }
            return first.start <= second.start && first.end <= second.end
        }
    }
}
