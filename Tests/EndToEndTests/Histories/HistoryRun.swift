import Foundation
import Linearizability
import TestSupport
import Testing

/// Clients on all kinds of objects, beside whom server processes are killed and started again.
struct HistoryRun {
    /// What a run has shown.
    struct Outcome {
        /// Verdict on all histories.
        var report = LinearizabilityReport()
        /// What clients saw of the service after each blow.
        var pauses = ServicePauses()
        /// Acknowledged operations that the audit does not hold, and records of more than was asked.
        var objections: [String] = []
        /// Ceremonies that were accepted twice, by the audit.
        var repetitions: [String] = []
    }

    /// How often a process is killed, or the database struck, in turn.
    let roundCount: Int
    /// Operations that are answered between two blows, at most; half as many at least.
    private let answerCount: Int
    /// `SIGNET_CRASH_SEED`: what decides when processes die, and what clients do.
    private let seed = ProcessInfo.processInfo.environment["SIGNET_CRASH_SEED"].flatMap { UInt64($0) } ?? 1
    /// Clients of each kind of object at the same time.
    private static let clientCount = 3

    private let stage: HistoryStage
    private let subjects: [any HistorySubject]

    /// Prepares some processes on a database, among which clients choose.
    ///
    /// `SIGNET_HISTORY_KILLS` and `SIGNET_HISTORY_ANSWERS` say how many blows fall, and after how many answers.
    init(_ database: HistoryDatabase, processCount: Int) throws {
        let answers = SlowTests.size("SIGNET_HISTORY_ANSWERS", sample: 120, whole: 1_000)
        try self.init(
            try HistoryStage(database, processCount: processCount, isBehindProxy: false),
            roundCount: SlowTests.size("SIGNET_HISTORY_KILLS", sample: 3, whole: 50),
            answerCount: max(answers / processCount, 1))
    }

    /// Prepares two processes behind a proxy, on a database.
    ///
    /// `SIGNET_PROXY_ROUNDS` says how often each kind of blow falls, `SIGNET_PROXY_ANSWERS` after how many answers.
    init(behindProxyOn database: HistoryDatabase) throws {
        let stage = try HistoryStage(database, processCount: 2, isBehindProxy: true)
        try self.init(
            stage, roundCount: SlowTests.size("SIGNET_PROXY_ROUNDS", sample: 2, whole: 50) * stage.blows.count,
            answerCount: SlowTests.size("SIGNET_PROXY_ANSWERS", sample: 400, whole: 800))
    }

    private init(_ stage: HistoryStage, roundCount: Int, answerCount: Int) throws {
        self.stage = stage
        self.roundCount = roundCount
        self.answerCount = answerCount
        subjects = [
            try CounterSubject(), try CredentialSubject(roundCount: roundCount), TokenSubject(), LoginSubject(),
        ]
    }

    /// Plays, checks every history, and compares it with the audit.
    func outcome() async throws -> Outcome {
        var outcome = Outcome()
        try await stage.start(users: subjects.flatMap(\.users))
        let calm = try await stage.calm()
        for subject in subjects { try await subject.begin(calm) }
        var generator = SeededGenerator(seed: seed)
        for round in 0..<roundCount {
            let (blow, service) = try await play(round, &generator)
            outcome.pauses.add(service, after: blow)
        }
        let last = try await stage.calm()
        for subject in subjects { try await subject.settle(last) }
        #expect(await stage.isWhole, "a server has ended by itself")
        await stage.end()
        for subject in subjects { outcome.report.add(subject.report) }
        let audit = try await stage.audit()
        outcome.objections = subjects.flatMap(\.claims).compactMap { $0.objection(to: audit) }
        outcome.repetitions = audit.successes.merging(audit.redemptions, uniquingKeysWith: max).filter { $0.value > 1 }
            .map(\.key)
        return outcome
    }

    /// Works until the database was struck or a process killed, half of the time between a commit and its answer; gives
    /// the name of the blow, and the service after it.
    private func play(
        _ round: Int, _ generator: inout SeededGenerator
    ) async throws -> (blow: String, service: HistoryLoad.Service) {
        let answers = Int.random(in: (answerCount + 1) / 2...answerCount, using: &generator)
        let (turn, blow) = round.quotientAndRemainder(dividingBy: stage.blows.count)
        let load: HistoryLoad
        if blow > 0 {
            load = try await stage.load(striking: blow - 1, atAnswer: answers)
            try await work(load, &generator)
        } else {
            let victim = turn % stage.serverCount
            let isLost = (turn / stage.serverCount) % 2 == 0
            load = try await stage.load(killing: victim, atAnswer: answers, losingIt: isLost)
            try await work(load, &generator)
            try await stage.revive(victim)
        }
        try await stage.awaitEndOfTransactions()
        for subject in subjects { subject.endUnanswered() }
        return (stage.blows[blow], load.service)
    }

    private func work(_ load: HistoryLoad, _ generator: inout SeededGenerator) async throws {
        let seed = generator.next()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (kind, subject) in subjects.enumerated() {
                for client in 0..<Self.clientCount {
                    let seed = seed &+ UInt64(kind * Self.clientCount + client)
                    group.addTask { try await Self.keepWorking(on: subject, load, as: client, seed: seed) }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func keepWorking(
        on subject: any HistorySubject, _ load: HistoryLoad, as client: Int, seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        while !load.isOver { try await subject.work(load, as: client, &generator) }
    }
}

extension HistoryRun.Outcome {
    /// Demands that an order explains all answers, that nothing acknowledged is lost, and nothing was accepted twice.
    func requireProof() {
        #expect(report.isLinearizable, "\(report)")
        #expect(report.operationCount > 100, "the servers were hardly used: \(report)")
        #expect(report.unansweredCount > 0, "nothing has cut off an answer: \(report)")
        #expect(objections.isEmpty, "the audit and the clients differ")
        #expect(repetitions.isEmpty, "accepted twice")
    }
}
