/// Sequential specification of one object: the answers that are right, and the state that follows, when operations take
/// effect one after the other.
///
/// A history of concurrent operations is linearizable (Herlihy and Wing 1990) when each operation can be given a moment
/// between its invocation and its answer such that the specification allows the answers in that order.
package protocol SequentialModel: Sendable {
    /// State of the object.
    associatedtype State: Hashable & Sendable
    /// Operation that is asked for.
    associatedtype Call: Hashable & Sendable & CustomStringConvertible
    /// Answer to an operation.
    associatedtype Answer: Hashable & Sendable & CustomStringConvertible

    /// State before the first operation.
    var initialState: State { get }

    /// Outcomes of a call that takes effect at one moment of `span`.
    ///
    /// More than one only where the moment decides, which no observer knows exactly. A longer span never has fewer.
    func outcomes(of call: Call, in state: State, during span: TimeSpan) -> [ModelOutcome<State, Answer>]

    /// Whether a call with this answer leaves every state as it is.
    func isReadOnly(_ call: Call, answered answer: Answer) -> Bool
}

/// Answer to a call, and the state after it.
package struct ModelOutcome<State: Hashable & Sendable, Answer: Hashable & Sendable>: Sendable, Hashable {
    /// Answer to the call.
    package let answer: Answer
    /// State after the call.
    package let state: State

    /// Puts an outcome together.
    package init(_ answer: Answer, _ state: State) {
        self.answer = answer
        self.state = state
    }
}

/// Time between two moments, both included, in nanoseconds of a monotonic clock.
package struct TimeSpan: Sendable, Hashable {
    /// First moment.
    package let start: Int64
    /// Last moment; `Int64.max` when there is none.
    package let end: Int64

    /// Span from `start` to `end`.
    package init(_ start: Int64, _ end: Int64) {
        self.start = start
        self.end = end
    }
}

/// Answer of an object that lets an operation have its effect or does not.
package enum Decision: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The operation has had its effect.
    case accepted
    /// The operation has had none.
    case refused

    package var description: String { rawValue }
}
