import Locking

/// Guards of a process that run at its start, before operations and at random times, and watch each other.
///
/// The client of the SDK starts ``ofProcess`` by itself. An application makes a network of its own for another policy or further
/// guards, and hands it to the client: `.deviceProtection(.guards(network))`.
///
/// ``isEnforcing`` says whether findings have the consequences of the ``GuardPolicy``. The debug flavour of the SDK runs no
/// guard. The network raises the cost of an attack and is no boundary: an attacker who has the rights of the administrator, or
/// changes the program before it starts and seals it anew, gets past it.
public final class GuardNetwork: Sendable {
    /// Findings and rounds so far.
    struct State {
        var findings: Set<GuardFinding> = []
        var unexamined: Set<GuardFinding.Kind> = []
        var lanes: [GuardLane]
        var turn = 0
        var tasks: [Task<Void, Never>] = []
        var isWholeSeen = false
    }

    let policy: GuardPolicy
    let guards: [any TamperGuard]
    /// The guards that share one look at the memory at the start, by their places.
    let memoryGuards: [Int: any ProcessMemoryGuard]
    let environment: GuardEnvironment
    let state: Lock<State>
    /// Held while a sealed program is looked at as a whole.
    private let wholeLook = Lock(())
    /// Whether the program was sealed after linking.
    public let isSealed: Bool

    /// The network of the process that clients of the SDK start unless told otherwise, by the policy ``GuardPolicy/release``.
    public static let ofProcess = GuardNetwork()

    /// Makes a network of the guards of this platform and some of the application's own; nothing runs yet.
    public convenience init(policy: GuardPolicy = .release, further guards: [any TamperGuard] = []) {
        let platform = PlatformGuards(allowing: policy.allowances)
        self.init(
            policy: policy, guards: platform.guards + guards, sharing: platform.memoryGuards,
            isSealed: platform.isSealed, environment: .live)
    }

    init(
        policy: GuardPolicy, guards: [any TamperGuard], sharing memoryGuards: [Int: any ProcessMemoryGuard] = [:],
        isSealed: Bool, environment: GuardEnvironment
    ) {
        self.policy = policy
        self.guards = guards
        self.memoryGuards = memoryGuards
        self.isSealed = isSealed
        self.environment = environment
        state = Lock(State(lanes: GuardLane.lanes(for: guards)))
    }

    deinit {
        stop()
    }

    /// Whether findings have consequences in this process.
    public var isEnforcing: Bool {
        guard environment.flavor == .release else { return false }
        return switch policy.enforcement {
        case .whenSealed: isSealed
        case .always: true
        case .never: false
        }
    }

    /// Summary of the findings since the network was made.
    public var summary: GuardSummary {
        let (findings, unexamined) = state.withLock { ($0.findings, $0.unexamined) }
        return GuardSummary(
            of: findings, unexamined: unexamined, isSealed: isSealed, isEnforcing: isEnforcing,
            flavor: environment.flavor)
    }

    /// Findings since the network was made, with evidence, in the order of the rules' names.
    public var findings: [GuardFinding] {
        state.withLock { $0.findings }.sorted { ($0.name, $0.evidence) < ($1.name, $1.evidence) }
    }

    // MARK: - Looking

    /// Looks once, reacts, and goes on in the background, at first with the whole of a sealed program.
    ///
    /// A second call looks again and begins nothing new. It takes about a millisecond. It throws nothing: where the
    /// policy says so, ``check()`` does.
    public func start() {
        guard environment.flavor == .release else { return }
        var memory = ProcessMemory()
        // Kinds that are reported only can wait for their turn in the background.
        for (place, one) in guards.enumerated() where policy[one.kind] != .report {
            let shared = memoryGuards[place]?.inspect(.round, in: &memory)
            note(shared ?? one.inspect(.round), of: one.kind)
        }
        react()
        goOn()
    }

    /// Looks briefly, reacts to everything found so far, and returns when the process may go on.
    ///
    /// It is for the beginning of operations with secrets, and takes less than a tenth of a millisecond. In a sealed program
    /// it returns only when all that is loaded of it was compared with the seal once, for which the first calls may wait
    /// some tens of milliseconds: do not call it on the main thread.
    ///
    /// - Throws: ``TamperingError`` where the policy says ``GuardPolicy/Reaction/throwError``.
    public func check() throws(TamperingError) {
        guard environment.flavor == .release, !guards.isEmpty else { return }
        verify()
        // The debugger's guard is first and looks each time, the others take turns.
        let turn = state.withLock { state in
            state.turn = (state.turn + 1) % max(guards.count - 1, 1)
            return state.turn
        }
        note(guards[0].inspect(.operation), of: guards[0].kind)
        if guards.count > 1 { note(guards[turn + 1].inspect(.operation), of: guards[turn + 1].kind) }
        if let kinds = react() { throw TamperingError(kinds) }
    }

    /// Waits, beside the caller's thread, until ``check()`` takes no longer than it does later.
    package func settle() async {
        if !isSettled { await settleApart() }
    }

    @concurrent
    private func settleApart() async { verify() }

    private var isSettled: Bool { !isSealed || environment.flavor == .debug || state.withLock { $0.isWholeSeen } }

    /// Looks at the whole of a sealed program, unless that was done.
    func verify() {
        wholeLook.withLock { _ in
            guard !isSettled else { return }
            for one in guards where one.kind == .checksum { note(one.inspect(.whole), of: one.kind) }
            state.withLock { $0.isWholeSeen = true }
        }
    }

    /// Looks at everything there is to see and reacts to nothing; for diagnosis.
    ///
    /// It takes tens of milliseconds.
    public func examine() -> [Examination] {
        guards.map { one in
            var result = TamperGuardResult.clear
            let duration = ContinuousClock().measure { result = one.inspect(.whole) }
            return Examination(kind: one.kind, reaction: policy[one.kind], result: result, duration: duration)
        }
    }

    /// Ends the looking in the background.
    public func stop() {
        let tasks = state.withLock { state in
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    // MARK: - Reacting

    func note(_ result: TamperGuardResult, of kind: GuardFinding.Kind) {
        guard !result.findings.isEmpty || !result.unknown.isEmpty else { return }
        state.withLock { state in
            // Evidence may change from look to look; a bound keeps what a long life collects small.
            if state.findings.count < Self.findingLimit { state.findings.formUnion(result.findings) }
            if !result.unknown.isEmpty { state.unexamined.insert(kind) }
        }
    }

    private static let findingLimit = 256

    /// Reacts to what was found so far; returns the kinds for which ``check()`` has to throw.
    @discardableResult
    func react() -> [GuardFinding.Kind]? {
        guard isEnforcing, let judgement = policy.judgement(of: state.withLock { $0.findings }) else { return nil }
        switch judgement.reaction {
        case .report: return nil
        case .throwError: return judgement.kinds
        case .stopResponding: environment.stopResponding()
        case .crash: environment.crash()
        }
        return judgement.kinds
    }
}

extension GuardNetwork {
    /// Result of one guard's inspection of everything there is to see.
    public struct Examination: Sendable, Hashable {
        /// Kind of tampering that the guard looks for.
        public let kind: GuardFinding.Kind
        /// Reaction of the policy to findings of the kind that weigh enough.
        public let reaction: GuardPolicy.Reaction
        /// Findings, and what could not be examined.
        public let result: TamperGuardResult
        /// Time that it took; for ``GuardFinding/Kind/checksum`` what a sealed program pays once, before it uses a key.
        public let duration: Duration
    }
}
