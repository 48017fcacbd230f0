/// Lock of one name after wrong passwords: after so many in a window further ones are not looked at until its end.
///
/// A login is an attempt, which counts, and when its password is right a forgiveness, which makes all earlier ones
/// forgotten; others may come between the two. The window begins with the first attempt that counts. The moment at which
/// the server counted is known only to lie between invocation and answer, so near the end of a window, for a fiftieth of
/// it at most beyond the spans themselves, both answers are allowed.
package struct LockModel: SequentialModel {
    /// Attempts that count.
    package struct State: Hashable, Sendable, CustomStringConvertible {
        /// Number of them.
        package let attemptCount: Int
        /// Time in which the first one was counted; without meaning when there is none.
        fileprivate let opening: TimeSpan

        fileprivate static let clear = State(attemptCount: 0, opening: TimeSpan(0, 0))

        package var description: String { "\(attemptCount) attempts counted" }
    }

    /// Part of a login.
    package enum Call: String, Hashable, Sendable, CustomStringConvertible {
        /// Attempt with a password.
        case attempt
        /// Forgiveness of all attempts after a right password; always answered with ``Answer/checked``.
        case forgive

        package var description: String { rawValue }
    }

    /// Answer to a login.
    package enum Answer: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The password was looked at.
        case checked
        /// The password was not looked at.
        case locked

        package var description: String { rawValue }
    }

    /// Parts of a window to which its beginning is known.
    private static let stepsInWindow: Int64 = 50

    /// Attempts before the lock.
    private let limit: Int
    /// Length of the window in nanoseconds.
    private let window: Int64
    /// Difference between the clocks of server and recorder over a window at most, in nanoseconds.
    private let tolerance: Int64

    package let initialState = State.clear

    /// Lock after `limit` attempts until `window` nanoseconds after the first one.
    package init(limit: Int, window: Int64, tolerance: Int64 = 0) {
        self.limit = limit
        self.window = window
        self.tolerance = tolerance
    }

    package func outcomes(of call: Call, in state: State, during span: TimeSpan) -> [ModelOutcome<State, Answer>] {
        guard call == .attempt else { return [ModelOutcome(.checked, .clear)] }
        guard state.attemptCount > 0 else { return [first(during: span)] }
        let next =
            state.attemptCount < limit
            ? ModelOutcome(Answer.checked, State(attemptCount: state.attemptCount + 1, opening: state.opening))
            : ModelOutcome(Answer.locked, state)
        let isSurelyOver = state.opening.end < span.start && span.start - state.opening.end >= window + tolerance
        let isPerhapsOver = span.end - state.opening.start >= window - tolerance
        // A window that follows another one cannot begin before that one is over; of an attempt without an end it makes no
        // use, as a row of those would lead further and further from the times of all others.
        let earliest = span.end == .max ? span.start : max(span.start, state.opening.start + window - tolerance)
        let first = first(during: TimeSpan(earliest, max(span.end, earliest)))
        return (isSurelyOver ? [] : [next]) + (isPerhapsOver ? [first] : [])
    }

    /// Outcome of the first attempt of a window.
    private func first(during span: TimeSpan) -> ModelOutcome<State, Answer> {
        ModelOutcome(.checked, State(attemptCount: 1, opening: rounded(span)))
    }

    package func isReadOnly(_ call: Call, answered answer: Answer) -> Bool { answer == .locked }

    /// The span with both ends moved outwards, so that ways that differ in little else are one.
    private func rounded(_ span: TimeSpan) -> TimeSpan {
        let step = window / Self.stepsInWindow
        guard step > 0 else { return span }
        let (last, isOver) = span.end.addingReportingOverflow(step - span.end % step)
        return TimeSpan(span.start - span.start % step, isOver ? .max : last)
    }
}

/// Result of a login by password.
package enum LoginResult: Sendable, Hashable {
    /// The password was looked at and is right.
    case accepted
    /// The password was looked at and is wrong.
    case refused
    /// The password was not looked at, after too many wrong ones.
    case locked
}

extension HistoryRecorder where Model == LockModel {
    /// Performs a login and notes its parts: the attempt, and the forgiveness when the password is right.
    ///
    /// `body` returns nil when no answer came, or one that does not say whether the attempt counts.
    @discardableResult
    package func logIn(
        on name: String, by client: String, rightly isRight: Bool, _ body: () async throws -> LoginResult?
    ) async rethrows -> LoginResult? {
        let start = now()
        var result: LoginResult?
        defer {
            note(.attempt, on: name, by: client, from: start, result.map { $0 == .locked ? .locked : .checked })
            if isRight, result != .locked, result != .refused {
                note(.forgive, on: name, by: client, from: start, result.map { _ in .checked })
            }
        }
        result = try await body()
        return result
    }
}
