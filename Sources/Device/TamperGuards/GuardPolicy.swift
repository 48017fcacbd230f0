/// Policy of a ``GuardNetwork``: what findings lead to, and what this application does on purpose.
///
/// ```swift
/// var policy = GuardPolicy.release
/// policy[.debugger] = .throwError
/// policy.allowances.objects = ["/usr/lib/libjemalloc.so"]
/// ```
public struct GuardPolicy: Sendable {
    /// Reaction to findings, from the mildest to the hardest.
    @nonexhaustive
    public enum Reaction: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// The finding is kept for ``GuardNetwork/summary`` and nothing else happens.
        case report
        /// ``GuardNetwork/check()`` throws ``TamperingError`` from then on.
        case throwError
        /// ``GuardNetwork/check()`` does not return any more.
        case stopResponding
        /// The copies of secrets in memory are wiped and the process is killed, without a word on standard error; what
        /// is stored survives.
        case crash

        /// Orders by hardness.
        public static func < (one: Reaction, other: Reaction) -> Bool { one.rawValue < other.rawValue }
    }

    /// Condition under which findings have consequences.
    @nonexhaustive
    public enum Enforcement: Sendable, Hashable {
        /// In a program that was sealed after linking (`script/maintain/seal`); elsewhere everything is reported only.
        case whenSealed
        /// Always: so does ``GuardPolicy/release`` on Apple platforms, where the signature of the system takes the place of
        /// the seal.
        case always
        /// Never: everything is reported only.
        case never
    }

    /// Things that an application does on purpose and a guard would find.
    public struct Allowances: Sendable {
        /// Paths of libraries, or of folders with a slash at the end, that may be loaded or preloaded, besides the
        /// system's folders and what the program and its libraries name.
        public var objects: [String] = []
        /// TCP ports on which this process listens.
        public var ports: Set<UInt16> = []
        /// Whether the process makes code at run time, as a JavaScript engine does.
        public var generatesCode = false

        /// Allows nothing beyond the usual.
        public init() {}
    }

    /// Condition under which findings have consequences; ``Enforcement/whenSealed`` unless said otherwise.
    public var enforcement = Enforcement.whenSealed
    /// Sum of weights from which the findings of one kind lead to its reaction, 100 by default; each rule counts once.
    public var threshold = GuardFinding.fullWeight
    /// Mean time between two looks of a guard in the background; each wait is half to one and a half of it, at random.
    public var interval = Duration.seconds(10)
    /// Things that this application does on purpose.
    public var allowances = Allowances()

    private var reactions: [GuardFinding.Kind: Reaction] = [:]

    /// Policy that reports and does nothing else.
    public static let reporting = GuardPolicy()

    /// Policy of release builds: debuggers, hooks, instrumentation and changed code end the process, changed resources and
    /// silent guards make ``GuardNetwork/check()`` throw.
    ///
    /// Resources and silence do not end the process: an upgrade that replaces a bundled file under a running program, or
    /// a machine that is starved, looks the same. On Apple platforms a jailbreak ends it too. In the simulator
    /// ``GuardNetwork/check()`` throws, whatever is found; the debug flavour of the SDK runs there. On Linux administrators
    /// and virtual machines are reported: servers, containers and many desks are both by right.
    public static let release: GuardPolicy = {
        var policy = GuardPolicy()
        for kind in [GuardFinding.Kind.debugger, .hook, .instrumentation, .checksum] { policy[kind] = .crash }
        for kind in [GuardFinding.Kind.resources, .silence] { policy[kind] = .throwError }
        PlatformGuards.adapt(&policy)
        return policy
    }()

    private init() {}

    /// Reaction to findings of a kind; ``Reaction/report`` unless set.
    public subscript(kind: GuardFinding.Kind) -> Reaction {
        get { reactions[kind] ?? .report }
        set { reactions[kind] = newValue }
    }

    /// The kinds whose findings weigh enough, with the hardest reaction to them; nil when none does.
    func judgement(of findings: some Sequence<GuardFinding>) -> Judgement? {
        var weights: [GuardFinding.Kind: [String: Int]] = [:]
        for finding in findings {
            let known = weights[finding.kind]?[finding.name] ?? 0
            weights[finding.kind, default: [:]][finding.name] = max(known, finding.weight)
        }
        let kinds = weights.filter { $0.value.values.reduce(0, +) >= threshold }.keys
        guard let hardest = kinds.map({ self[$0] }).max(), hardest > .report else { return nil }
        return Judgement(
            reaction: hardest, kinds: kinds.filter { self[$0] == hardest }.sorted { $0.rawValue < $1.rawValue })
    }

    /// Hardest reaction that findings lead to, and the kinds that lead to it.
    struct Judgement: Hashable {
        var reaction: Reaction
        var kinds: [GuardFinding.Kind]
    }
}
