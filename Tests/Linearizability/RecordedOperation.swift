/// Operation of a history: the call, and the answer when one came.
package struct RecordedOperation<Call: Hashable & Sendable, Answer: Hashable & Sendable>: Sendable, Hashable {
    /// Name of the client that made the call, for people.
    package let client: String
    /// Operation that was asked for.
    package let call: Call
    /// Answer; nil when none came, or one that leaves open whether the operation took effect.
    ///
    /// Such an operation took effect at some time of ``span``, or never: the server was killed before it could answer,
    /// perhaps after its commit.
    package let answer: Answer?
    /// Time from the invocation to the answer; without an answer to the time from which on nothing can come of the
    /// operation any more, or without end.
    package let span: TimeSpan

    /// Operation that was answered at `end`.
    package init(_ client: String, _ call: Call, _ answer: Answer, from start: Int64, to end: Int64) {
        self.client = client
        self.call = call
        self.answer = answer
        span = TimeSpan(start, end)
    }

    /// Operation whose answer is unknown, and which has taken effect by `end` if ever.
    package init(_ client: String, _ call: Call, unansweredFrom start: Int64, until end: Int64 = .max) {
        self.client = client
        self.call = call
        answer = nil
        span = TimeSpan(start, end)
    }

    /// The same operation, whose answer has been forgotten; it took effect in its time, or never.
    var withoutAnswer: RecordedOperation {
        RecordedOperation(client, call, unansweredFrom: span.start, until: span.end)
    }
}

/// Invocation or end of an operation.
struct HistoryEvent: Sendable {
    /// Time of the event.
    let time: Int64
    /// Whether it is the answer, or the end of the time in which an operation without one can have taken effect.
    let isEnd: Bool
    /// Index of the operation in its history.
    let operation: Int

    /// The events of a history in the order of time, in which operations that touch each other overlap.
    static func all<Call, Answer>(in history: [RecordedOperation<Call, Answer>]) -> [HistoryEvent] {
        var events: [HistoryEvent] = []
        events.reserveCapacity(2 * history.count)
        for (index, operation) in history.enumerated() {
            events.append(HistoryEvent(time: operation.span.start, isEnd: false, operation: index))
            guard operation.span.end < .max else { continue }
            events.append(HistoryEvent(time: operation.span.end, isEnd: true, operation: index))
        }
        return events.sorted { first, second in
            guard first.time == second.time else { return first.time < second.time }
            guard first.isEnd == second.isEnd else { return second.isEnd }
            return first.operation < second.operation
        }
    }
}
