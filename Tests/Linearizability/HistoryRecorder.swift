import Synchronization

/// Recorder of what clients ask of many objects and are answered, for tasks that run at the same time.
///
/// The invocation is noted before the request is sent and the answer after it has come, both by one monotonic clock, so
/// that the moment at which the server acts lies in between.
package final class HistoryRecorder<Model: SequentialModel>: Sendable {
    package typealias Operation = RecordedOperation<Model.Call, Model.Answer>

    private let clock = ContinuousClock()
    private let origin = ContinuousClock().now
    private let histories = Mutex<[String: [Operation]]>([:])

    /// Recorder without operations.
    package init() {}

    /// Nanoseconds since the recorder was made.
    package func now() -> Int64 {
        let (seconds, attoseconds) = origin.duration(to: clock.now).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Performs a call on an object and notes it.
    ///
    /// `body` returns nil when no answer came, or one that does not say whether the call took effect. A call whose body
    /// throws is noted without an answer.
    @discardableResult
    package func perform(
        _ call: Model.Call, on object: String, by client: String,
        _ body: () async throws -> Model.Answer?
    ) async rethrows -> Model.Answer? {
        let start = now()
        do {
            let answer = try await body()
            note(call, on: object, by: client, from: start, answer)
            return answer
        } catch {
            note(call, on: object, by: client, from: start, nil)
            throw error
        }
    }

    /// Notes a call that was made at `start` and is answered now; nil: not at all.
    package func note(
        _ call: Model.Call, on object: String, by client: String, from start: Int64, _ answer: Model.Answer?
    ) {
        let end = now()
        let operation =
            answer.map { Operation(client, call, $0, from: start, to: end) }
            ?? Operation(client, call, unansweredFrom: start)
        histories.withLock { $0[object, default: []].append(operation) }
    }

    /// Notes that nothing can come any more of the calls that have no answer yet: their server is gone.
    package func endUnanswered() {
        let end = now()
        histories.withLock { histories in
            for (object, history) in histories {
                histories[object] = history.map { operation in
                    guard operation.answer == nil, operation.span.end == .max else { return operation }
                    return Operation(operation.client, operation.call, unansweredFrom: operation.span.start, until: end)
                }
            }
        }
    }

    /// Histories so far, by object.
    package var recorded: [String: [Operation]] { histories.withLock { $0 } }

    /// Checks the history of every object against the model that `model` makes of its name.
    package func report(
        _ name: String, _ model: (String) -> Model
    ) -> LinearizabilityReport {
        var report = LinearizabilityReport()
        for (object, history) in recorded.sorted(by: { $0.key < $1.key }) {
            report.add(history, on: "\(name) \(object)", model(object))
        }
        return report
    }
}
