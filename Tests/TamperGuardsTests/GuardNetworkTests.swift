import Foundation
import Locking
import Testing

@testable import TamperGuards

@Suite("A network of guards judges, reacts and watches itself")
struct GuardNetworkTests {
    /// Guard whose results the test sets.
    private final class ScriptedGuard: TamperGuard {
        let kind: GuardFinding.Kind
        private let result = Lock(TamperGuardResult.clear)
        private let looks = Lock<[TamperGuardExtent]>([])

        init(_ kind: GuardFinding.Kind) { self.kind = kind }

        var extents: [TamperGuardExtent] { looks.withLock { $0 } }

        func find(_ name: String, weight: Int = 100) {
            let finding = GuardFinding(kind, name, weight: weight, evidence: "seen in /home of a-person")
            result.withLock { $0.findings.append(finding) }
        }

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            looks.withLock { $0.append(extent) }
            return result.withLock { $0 }
        }
    }

    /// Reactions that were asked for.
    private final class Reactions: Sendable {
        private let names = Lock<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private let reactions = Reactions()
    private let one = ScriptedGuard(.debugger)
    private let two = ScriptedGuard(.hook)
    private let three = ScriptedGuard(.checksum)

    private func network(
        _ change: (inout GuardPolicy) -> Void = { _ in }, isSealed: Bool = true,
        flavor: GuardSummary.Flavor = .release,
        detach: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) -> GuardNetwork {
        var policy = GuardPolicy.release
        change(&policy)
        let environment = GuardEnvironment(
            random: { 0 }, sleep: { _ in throw CancellationError() }, crash: { [reactions] in reactions.add("crash") },
            stopResponding: { [reactions] in reactions.add("stop") }, flavor: flavor, detach: detach)
        return GuardNetwork(policy: policy, guards: [one, two, three], isSealed: isSealed, environment: environment)
    }

    // MARK: - Judging

    @Test(
        "G-7: release builds end the process for four kinds and throw for two; the others count on Apple platforms only"
    )
    func releasePolicy() {
        let policy = GuardPolicy.release
        func kinds(_ reaction: GuardPolicy.Reaction) -> Set<GuardFinding.Kind> {
            Set(GuardFinding.Kind.allCases.filter { policy[$0] == reaction })
        }
        #if os(Linux)
            #expect(kinds(.crash) == [.debugger, .hook, .instrumentation, .checksum])
            #expect(kinds(.throwError) == [.resources, .silence])
            #expect(kinds(.report) == [.virtualMachine, .root] && policy.enforcement == .whenSealed)
        #else
            #expect(policy.enforcement == .always)
            #if targetEnvironment(simulator)
                #expect(kinds(.throwError) == Set(GuardFinding.Kind.allCases))
            #else
                #expect(kinds(.crash) == [.debugger, .hook, .instrumentation, .checksum, .root])
                #expect(kinds(.throwError) == [.resources, .silence, .virtualMachine])
            #endif
        #endif
        #expect(GuardFinding.Kind.allCases.allSatisfy { GuardPolicy.reporting[$0] == .report })
    }

    @Test("Weights of a kind add up rule by rule; a rule that finds twice counts once, and kinds do not add up")
    func weights() {
        func finding(_ kind: GuardFinding.Kind, _ name: String, _ weight: Int, _ evidence: String = "") -> GuardFinding
        {
            GuardFinding(kind, name, weight: weight, evidence: evidence)
        }
        var policy = GuardPolicy.release
        policy[.root] = .report
        #expect(policy.judgement(of: [finding(.hook, "a", 50), finding(.hook, "a", 50, "again")]) == nil)
        #expect(policy.judgement(of: [finding(.hook, "a", 50), finding(.debugger, "b", 50)]) == nil)
        let both = policy.judgement(of: [finding(.hook, "a", 50), finding(.hook, "b", 50)])
        #expect(both == GuardPolicy.Judgement(reaction: .crash, kinds: [.hook]))
        let mixed = policy.judgement(of: [finding(.resources, "a", 100), finding(.root, "b", 100)])
        #expect(mixed == GuardPolicy.Judgement(reaction: .throwError, kinds: [.resources]))
        #expect(finding(.root, "a", 1_000).weight == 100 && finding(.root, "a", -1).weight == 0)
    }

    // MARK: - Reacting

    @Test("A clean process goes on")
    func clean() throws {
        let guards = network()
        guards.start()
        for _ in 0..<10 { try guards.check() }
        #expect(reactions.all.isEmpty && guards.findings.isEmpty)
    }

    @Test("A finding at the start ends the process at the start")
    func crashAtStart() {
        two.find("hook.sample")
        network().start()
        #expect(reactions.all == ["crash"])
    }

    @Test("A finding before an operation throws, and so does every check after it")
    func refusal() throws {
        let guards = network { policy in
            for kind in GuardFinding.Kind.allCases { policy[kind] = .throwError }
        }
        guards.start()
        try guards.check()
        one.find("debugger.sample")
        #expect(throws: TamperingError([.debugger])) { try guards.check() }
        #expect(throws: TamperingError([.debugger])) { try guards.check() }
        #expect(reactions.all.isEmpty)
        #expect(TamperingError([.debugger]).description == "tampering: debugger")
    }

    @Test("The reaction to stop responding is asked for, and a report has no consequence")
    func otherReactions() throws {
        two.find("hook.sample")
        network { $0[.hook] = .stopResponding }.start()
        #expect(reactions.all == ["stop"])
        let reporting = network { $0[.hook] = .report }
        reporting.start()
        for _ in 0..<3 { try reporting.check() }
        #expect(reactions.all == ["stop"])
        #expect(reporting.summary.findings.map(\.name) == ["hook.sample"])
    }

    @Test("A build without a seal enforces nothing and says so; policies can ask for it always, or never")
    func seals() throws {
        one.find("debugger.sample")
        let unsealed = network({ $0.enforcement = .whenSealed }, isSealed: false)
        unsealed.start()
        try unsealed.check()
        #expect(reactions.all.isEmpty && !unsealed.summary.isSealed && !unsealed.summary.isEnforcing)
        #expect(unsealed.summary.findings.map(\.name) == ["debugger.sample"])
        network({ $0.enforcement = .never }).start()
        #expect(reactions.all.isEmpty)
        network({ $0.enforcement = .always }, isSealed: false).start()
        #expect(reactions.all == ["crash"])
    }

    @Test(
        "D-L9: in the debug flavour no guard looks, nothing has consequences, and the summary says which flavour it is")
    func debugFlavor() throws {
        one.find("debugger.sample")
        let guards = network({ $0.enforcement = .always }, flavor: .debug)
        guards.start()
        for _ in 0..<3 { try guards.check() }
        #expect(one.extents.isEmpty && two.extents.isEmpty && three.extents.isEmpty && reactions.all.isEmpty)
        #expect(!guards.isEnforcing && guards.summary.flavor == .debug && guards.summary.findings.isEmpty)
        #expect(network().summary.flavor == .release)
    }

    @Test("Before an operation the debugger's guard looks each time, the others take turns, all of them briefly")
    func turns() throws {
        let guards = network()
        for _ in 0..<8 { try guards.check() }
        #expect(one.extents == Array(repeating: .operation, count: 8))
        #expect(two.extents == Array(repeating: .operation, count: 4) && three.extents == [.whole] + two.extents)
    }

    // MARK: - The first look at the whole

    @Test(
        "G-4: a sealed program is looked at as a whole once, before the first operation, also where no thread is to be had"
    )
    func wholeBeforeOperations() {
        let guards = network()
        three.find("checksum.sample")
        try? guards.check()
        #expect(three.extents.first == .whole && reactions.all == ["crash"])
        try? guards.check()
        #expect(three.extents.count { $0 == .whole } == 1)
    }

    @Test(
        "G-4: the whole is looked at beside the caller's thread as soon as the guards start, and has its reaction there"
    )
    func wholeAtStart() {
        let work = Lock<[@Sendable () -> Void]>([])
        let guards = network(detach: { one in work.withLock { $0.append(one) } })
        guards.start()
        guards.start()
        #expect(!three.extents.contains(.whole))
        three.find("checksum.sample")
        for one in work.withLock({ $0 }) { one() }
        #expect(three.extents.count { $0 == .whole } == 1 && reactions.all == ["crash"])
        network(isSealed: false, detach: { $0() }).start()
        #expect(three.extents.count { $0 == .whole } == 1)
    }

    // MARK: - Lanes

    @Test("Every guard is in one lane, and has its turn")
    func lanes() {
        let guards: [any TamperGuard] = (0..<7).map { _ in ScriptedGuard(.root) }
        var lanes = GuardLane.lanes(for: guards)
        #expect(lanes.count == GuardLane.count && lanes.flatMap(\.guards).sorted() == Array(0..<7))
        let seen = (0..<21).compactMap { GuardLane.nextTurn(of: $0 % 3, in: &lanes)?.guard }
        #expect(Set(seen) == Set(0..<7))
        #expect(GuardLane.lanes(for: []).isEmpty && GuardLane.nextTurn(of: 5, in: &lanes) == nil)
    }

    @Test("A lane that falls silent is found by its neighbour, and by no other; one that is slow is not")
    func silence() throws {
        let guards = network()
        // Lane 1 is three times as slow as the others.
        for round in 0..<300 {
            guards.round(of: 0)
            if round % 3 == 0 { guards.round(of: 1) }
            guards.round(of: 2)
        }
        #expect(guards.findings.isEmpty)
        for _ in 0..<GuardLane.patience {
            guards.round(of: 0)
            guards.round(of: 2)
        }
        #expect(guards.findings.map(\.name) == ["silence.lane"])
        #expect(throws: TamperingError([.silence])) { try guards.check() }
    }

    @Test("A network with one guard has none to watch")
    func loneGuard() {
        let guards = GuardNetwork(policy: .release, guards: [one], isSealed: true, environment: .live)
        for _ in 0..<100 { guards.round(of: 0) }
        #expect(guards.findings.isEmpty)
    }

    @Test("Waits are half to one and a half of the mean, by the random number")
    func waits() async {
        for (random, expected) in [(UInt64(0), Duration.seconds(5)), (1_000, .seconds(15)), (500, .seconds(10))] {
            let slept = Lock<Duration?>(nil)
            let environment = GuardEnvironment(
                random: { random }, sleep: { time in slept.withLock { $0 = time } }, crash: {}, stopResponding: {})
            #expect(await environment.wait(about: .seconds(10)))
            #expect(slept.withLock { $0 } == expected)
        }
    }

    // MARK: - Summary

    @Test("A summary travels as JSON and holds rules and no evidence")
    func summary() throws {
        one.find("debugger.sample", weight: 40)
        let guards = network { $0.enforcement = .never }
        guards.start()
        let encoded = try JSONEncoder().encode(guards.summary)
        let text = String(decoding: encoded, as: UTF8.self)
        #expect(text.contains("debugger.sample") && !text.contains("a-person"))
        #expect(encoded.count < 400)
        #expect(try JSONDecoder().decode(GuardSummary.self, from: encoded) == guards.summary)
    }

    @Test("What is found in a long life stays bounded")
    func bounds() {
        let guards = network { $0.enforcement = .never }
        for number in 0..<1_000 {
            let finding = GuardFinding(.root, "root.sample", weight: 1, evidence: "\(number)")
            guards.note(TamperGuardResult(findings: [finding]), of: .root)
        }
        #expect(guards.findings.count <= 256)
    }
}
