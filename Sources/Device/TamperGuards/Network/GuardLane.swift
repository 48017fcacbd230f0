import Locking

/// Lane of a network: some guards that look in turn at random times, in a separate task.
///
/// The lanes form a ring. Each watches the next one: an attacker who stops a lane, or keeps its guards from returning, is found by
/// its neighbour. Rounds are compared, not times, so that a process that was suspended or starved as a whole is not a finding.
struct GuardLane: Hashable {
    /// Rounds of a lane without a single one of its neighbour that are a finding.
    ///
    /// With waits of half to one and a half of the mean, a neighbour that runs has its turn within three.
    static let patience = 32
    static let count = 3

    var guards: [Int]
    var rounds = 0
    /// Rounds of the neighbour when it was last seen to go on.
    var neighbourRounds = 0
    /// Own rounds since then.
    var silence = 0

    /// Lanes for some guards, which are dealt to them in turn.
    static func lanes(for guards: [any TamperGuard]) -> [GuardLane] {
        let count = min(Self.count, guards.count)
        return (0..<count).map { lane in
            GuardLane(guards: Array(stride(from: lane, to: guards.count, by: count)))
        }
    }

    /// Counts a round of a lane, and returns the guard whose turn it is and whether the neighbour has fallen silent.
    static func nextTurn(of lane: Int, in lanes: inout [GuardLane]) -> (guard: Int, isNeighbourSilent: Bool)? {
        guard lanes.indices.contains(lane), !lanes[lane].guards.isEmpty else { return nil }
        let neighbour = lanes[(lane + 1) % lanes.count].rounds
        lanes[lane].rounds += 1
        lanes[lane].silence = neighbour == lanes[lane].neighbourRounds ? lanes[lane].silence + 1 : 0
        lanes[lane].neighbourRounds = neighbour
        let turn = lanes[lane].guards[lanes[lane].rounds % lanes[lane].guards.count]
        return (turn, lanes.count > 1 && lanes[lane].silence >= patience)
    }
}

extension GuardNetwork {
    /// Begins a task for each lane, and the first look at the whole program, unless they run.
    func goOn() {
        let begins = state.withLock { state in
            guard state.tasks.isEmpty else { return false }
            state.tasks = state.lanes.indices.map(task)
            return true
        }
        guard begins else { return }
        environment.detach { [self] in
            verify()
            react()
        }
    }

    /// The task of a lane, which ends with the network.
    private func task(of lane: Int) -> Task<Void, Never> {
        Task(priority: .utility) { [weak self, environment, policy] in
            while !Task.isCancelled {
                guard await environment.wait(about: policy.interval), let self else { return }
                self.round(of: lane)
            }
        }
    }

    /// Lets one guard of a lane look, watches the neighbour, and reacts.
    func round(of lane: Int) {
        guard let turn = state.withLock({ GuardLane.nextTurn(of: lane, in: &$0.lanes) }) else { return }
        let one = guards[turn.guard]
        note(one.inspect(.round), of: one.kind)
        if turn.isNeighbourSilent {
            let evidence = "no guard of the next lane has looked during \(GuardLane.patience) rounds of this one"
            note(
                TamperGuardResult(findings: [
                    GuardFinding(.silence, "silence.lane", weight: GuardFinding.fullWeight, evidence: evidence)
                ]), of: .silence)
        }
        react()
    }
}
