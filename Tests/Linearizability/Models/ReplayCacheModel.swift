/// Entry of a replay cache for one signed request: accepted once, and only while the request is fresh.
package struct ReplayCacheModel: SequentialModel {
    /// Presentation of the request.
    package enum Call: String, Hashable, Sendable, CustomStringConvertible {
        case present

        package var description: String { rawValue }
    }

    /// Whether the request is remembered.
    package enum State: String, Hashable, Sendable, CustomStringConvertible {
        case unknown, remembered

        package var description: String { rawValue }
    }

    package let initialState = State.unknown
    /// Time up to which the request is fresh, in nanoseconds of the clock of the history.
    private let freshUntil: Int64

    /// Entry for a request that is fresh until a time; by default for ever.
    package init(freshUntil: Int64 = .max) { self.freshUntil = freshUntil }

    package func outcomes(
        of call: Call, in state: State, during span: TimeSpan
    ) -> [ModelOutcome<State, Decision>] {
        let stale = ModelOutcome(Decision.refused, state)
        guard state == .unknown, span.start <= freshUntil else { return [stale] }
        let fresh = ModelOutcome(Decision.accepted, State.remembered)
        return span.end > freshUntil ? [fresh, stale] : [fresh]
    }

    package func isReadOnly(_ call: Call, answered answer: Decision) -> Bool { answer == .refused }
}
