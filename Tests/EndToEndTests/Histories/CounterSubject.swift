import BackendAPI
import Linearizability
import ServerCore
import Synchronization
import TestSupport
import Testing
import UAF

/// Keys whose signature counters grow, each used by several clients at the same time, as by phones that were cloned.
final class CounterSubject: HistorySubject {
    private static let firstCounter: UInt32 = 1

    let users = ["counter0", "counter1"]
    private let keys: [SyntheticAuthenticator]
    private let highest = Mutex<[UInt32]>([])
    private let recorder = HistoryRecorder<SignatureCounterModel>()

    init() throws {
        keys = try users.map { _ in
            var key = try SyntheticAuthenticator()
            key.counters = Counters(signatures: CounterSubject.firstCounter, registrations: 1)
            return key
        }
        let first = users.map { _ in CounterSubject.firstCounter }
        highest.withLock { $0 = first }
    }

    func begin(_ load: HistoryLoad) async throws {
        for (user, key) in zip(users, keys) {
            let request = try #require(try await load.registrationRequest(for: try username(user), from: 0))
            let message = try client.answer(request, with: [key])
            let verdict = try await load.verdict(.registrationResponse, on: message, from: 0)
            try #require(verdict?.statusCode == .ok)
        }
    }

    /// Signs with a counter near the highest one, and sends some of the responses twice at the same time.
    func work(_ load: HistoryLoad, as client: Int, _ generator: inout SeededGenerator) async throws {
        let index = Int.random(in: keys.indices, using: &generator)
        let counter = nextCounter(index, step: Int.random(in: -1...2, using: &generator))
        let copies = Int.random(in: 0..<4, using: &generator) == 0 ? 2 : 1
        try await use(index, counter, copies, load, client)
    }

    /// Uses each key with a counter that is high enough, and again with the same one.
    func settle(_ load: HistoryLoad) async throws {
        for index in keys.indices {
            let counter = nextCounter(index, step: 2)
            for _ in 0..<2 { try await use(index, counter, 1, load, 0) }
        }
    }

    func endUnanswered() { recorder.endUnanswered() }

    var report: LinearizabilityReport {
        recorder.report("counter") { _ in SignatureCounterModel(startingAt: Self.firstCounter) }
    }

    var claims: [AuditClaim] {
        let histories = recorder.recorded
        return zip(users, keys).compactMap { user, key in
            key.credential.map {
                AuditClaim(.signedIn, about: AuditClaim.subject($0), histories[user] ?? []) { _ in
                    true
                }
            }
        }
    }

    private func nextCounter(_ index: Int, step: Int) -> UInt32 {
        highest.withLock { highest in
            let counter = UInt32(max(Int(highest[index]) + step, 1))
            highest[index] = max(highest[index], counter)
            return counter
        }
    }

    private func use(
        _ index: Int, _ counter: UInt32, _ copies: Int, _ load: HistoryLoad, _ client: Int
    ) async throws {
        guard let request = try await load.authenticationRequest(for: try username(users[index]), from: client) else {
            return
        }
        var key = keys[index]
        key.counters = Counters(signatures: counter, registrations: 1)
        let message = try self.client.answer(request, with: [key])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for copy in 0..<copies {
                group.addTask { [self] in
                    try await recorder.perform(.init(counter), on: users[index], by: "client \(client)") {
                        try await load.verdict(.authenticationResponse, on: message, from: client + copy)?.statusCode
                            .decision
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
