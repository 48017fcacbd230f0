import Foundation
import Linearizability
import TestSupport
import Testing

/// Clients on all kinds of objects, beside whom server processes are killed and started again.
struct HistoryRun {
    /// `SIGNET_HISTORY_KILLS`: how often a process is killed, or the server of the database struck.
    private let killCount = SlowTests.size("SIGNET_HISTORY_KILLS", sample: 3, whole: 50)
    /// `SIGNET_HISTORY_ANSWERS`: about how many operations are answered between two kills.
    private let answerCount = SlowTests.size("SIGNET_HISTORY_ANSWERS", sample: 120, whole: 1_000)
    /// `SIGNET_CRASH_SEED`: what decides when processes die, and what clients do.
    private let seed = ProcessInfo.processInfo.environment["SIGNET_CRASH_SEED"].flatMap { UInt64($0) } ?? 1
    /// Clients of each kind of object at the same time.
    private static let clientCount = 3

    private let stage: HistoryStage
    private let subjects: [any HistorySubject]

    /// Prepares some processes on a database.
    init(_ database: HistoryDatabase, processCount: Int) throws {
        stage = try HistoryStage(database, processCount: processCount)
        subjects = [try CounterSubject(), try CredentialSubject(), TokenSubject(), LoginSubject()]
    }

    /// Plays, and checks every history.
    func report() async throws -> LinearizabilityReport {
        try await stage.start(users: subjects.flatMap(\.users))
        let calm = try await stage.calm()
        for subject in subjects { try await subject.begin(calm) }
        var generator = SeededGenerator(seed: seed)
        for round in 0..<killCount { try await play(round, &generator) }
        let last = try await stage.calm()
        for subject in subjects { try await subject.settle(last) }
        #expect(await stage.isWhole, "a server has ended by itself")
        await stage.end()
        return subjects.reduce(into: LinearizabilityReport()) { $0.add($1.report) }
    }

    /// Works until the database was struck or a process killed, half of the time between a commit and its answer.
    private func play(_ round: Int, _ generator: inout SeededGenerator) async throws {
        let most = max(answerCount / stage.serverCount, 1)
        let answers = Int.random(in: (most + 1) / 2...most, using: &generator)
        let (turn, blow) = round.quotientAndRemainder(dividingBy: stage.blowCount + 1)
        if blow > 0 {
            try await work(try await stage.load(striking: blow - 1, atAnswer: answers), &generator)
        } else {
            let victim = turn % stage.serverCount
            let isLost = (turn / stage.serverCount) % 2 == 0
            let load = try await stage.load(killing: victim, atAnswer: answers, losingIt: isLost)
            try await work(load, &generator)
            try await stage.revive(victim)
        }
        try await stage.awaitEndOfTransactions()
        for subject in subjects { subject.endUnanswered() }
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
