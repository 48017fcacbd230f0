/// One way in which the operations so far can have taken effect.
struct Configuration<State: Hashable & Sendable>: Sendable, Hashable {
    /// State that this way leads to.
    var state: State
    /// Slots of the operations under way, with an answer yet to come, that have taken effect.
    var answered = SlotSet()
    /// Slots of the operations without an answer that have taken effect.
    var unanswered = SlotSet()
}

/// Set of configurations without those that another one makes needless.
///
/// Of two configurations that differ in the unanswered operations alone, the one in which fewer have taken effect can go
/// on in every way in which the other one can.
struct ConfigurationSet<State: Hashable & Sendable>: Sendable {
    private struct Key: Hashable {
        let state: State
        let answered: SlotSet
    }

    private var groups: [Key: [SlotSet]] = [:]

    /// Whether there is none.
    var isEmpty: Bool { groups.isEmpty }

    /// All of them.
    var elements: [Configuration<State>] {
        groups.flatMap { key, sets in
            sets.map { Configuration(state: key.state, answered: key.answered, unanswered: $0) }
        }
    }

    /// Adds a configuration; false when it is there or another one makes it needless.
    mutating func insert(_ configuration: Configuration<State>) -> Bool {
        let key = Key(state: configuration.state, answered: configuration.answered)
        guard var sets = groups[key] else {
            groups[key] = [configuration.unanswered]
            return true
        }
        guard !sets.contains(where: { $0.isSubset(of: configuration.unanswered) }) else { return false }
        sets.removeAll { configuration.unanswered.isSubset(of: $0) }
        sets.append(configuration.unanswered)
        groups[key] = sets
        return true
    }
}
