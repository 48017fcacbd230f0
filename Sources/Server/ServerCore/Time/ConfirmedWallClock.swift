import Synchronization

/// The time of day, in which a step counts only when it has lasted for ``confirmationTime``.
///
/// A time that leaves the server (in tokens) or comes to it (in signed requests of devices) is compared with the clocks
/// of others, so this clock follows the machine's. Small corrections are followed at once.
package final class ConfirmedWallClock: WallClock {
    /// Difference from the monotonic clock up to which a correction is followed at once.
    package static let tolerance: Duration = .seconds(2)
    /// Time for which a step must last.
    package static let confirmationTime: Duration = .seconds(30)

    /// A step of the machine's clock.
    package enum Step: Sendable, Hashable {
        /// The clock has moved by this much and is not believed yet.
        case seen(Duration)
        /// The clock is believed from now on.
        case believed(Duration)
        /// The clock has returned before it was believed.
        case returned
    }

    private struct State {
        /// The time of day when the machine started, by the clock that is believed.
        var origin: Timestamp
        /// Origin that an unconfirmed step would set, and the time at which it was first seen.
        var candidate: (origin: Timestamp, since: Duration)?
        var steps: [Step] = []
    }

    private let wall: any WallClock
    private let monotonic: any BootClock
    private let state: Mutex<State>

    /// Believes what `wall` shows now.
    package init(wall: any WallClock, monotonic: any BootClock) {
        self.wall = wall
        self.monotonic = monotonic
        state = Mutex(State(origin: wall.now() - monotonic.sinceStart()))
    }

    package func now() -> Timestamp {
        state.withLock { state in
            let passed = monotonic.sinceStart()
            Self.judge(wall.now() - passed, at: passed, &state)
            return state.origin + passed
        }
    }

    package var pendingStep: Duration? {
        _ = now()
        return state.withLock { state in state.candidate.map { $0.origin - state.origin } }
    }

    /// The steps since this was last asked, each once.
    package func takeSteps() -> [Step] {
        _ = now()
        return state.withLock { state in
            defer { state.steps = [] }
            return state.steps
        }
    }

    private static func judge(_ origin: Timestamp, at passed: Duration, _ state: inout State) {
        if isNear(origin, state.origin) {
            if state.candidate != nil { state.steps.append(.returned) }
            state.candidate = nil
            state.origin = origin
            return
        }
        guard let candidate = state.candidate, isNear(origin, candidate.origin) else {
            state.candidate = (origin, passed)
            // A clock that jumps again and again is reported a bounded number of times.
            if state.steps.count < 16 { state.steps.append(.seen(origin - state.origin)) }
            return
        }
        guard passed - candidate.since >= confirmationTime else { return }
        state.steps.append(.believed(origin - state.origin))
        state.origin = origin
        state.candidate = nil
    }

    private static func isNear(_ one: Timestamp, _ other: Timestamp) -> Bool {
        let difference = one - other
        return max(difference, .zero - difference) <= tolerance
    }
}
