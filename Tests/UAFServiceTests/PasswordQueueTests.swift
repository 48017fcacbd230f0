import LoadControl
import Synchronization
import TestSupport
import Testing
import UAF

@testable import ServerCore
@testable import UAFService

@Suite("Password checks: a bounded queue in which addresses take turns (S-M1)")
struct PasswordQueueTests {
    /// Holds a lane up until it is told to go on.
    private final class Barrier: Sendable {
        private let isOpen = Mutex(false)
        private let isReached = Mutex(false)

        var job: HashingWorker.Job {
            HashingWorker.Job(
                run: {
                    self.isReached.withLock { $0 = true }
                    while !self.isOpen.withLock({ $0 }) { await Task.yield() }
                }, drop: {})
        }

        /// Waits until the lane is held up.
        func reached() async {
            while !isReached.withLock({ $0 }) { await Task.yield() }
        }

        func open() { isOpen.withLock { $0 = true } }
    }

    /// A lane with the bounds that a server has when nothing else is set.
    private func lane() -> HashingWorker {
        let settings = PasswordLoginSettings()
        return HashingWorker(limit: settings.queueLimit, limitPerSource: settings.queueLimitPerAddress)
    }

    private func settings(perAddress: Int = 100) -> PasswordLoginSettings {
        var settings = PasswordLoginSettings()
        settings.cost = .cheapest
        settings.failureLimitPerAddress = perAddress
        return settings
    }

    private func record(_ password: String) throws(ServerError) -> PasswordRecord {
        try PasswordRecord(hashing: Array(password.utf8), cost: .cheapest, random: SeededRandom())
    }

    private func attempt(_ name: String, _ address: String) throws -> PasswordThrottle.Attempt {
        PasswordThrottle.Attempt(name: try #require(UserName(name)), address: address)
    }

    private func refusal(
        _ gate: PasswordGate, _ password: String, _ attempt: PasswordThrottle.Attempt, known: Bool = true
    ) async -> ServerError? {
        do throws(ServerError) {
            try await gate.requireMatch(
                PasswordGate.Password(password), try record("right"), known: known, attempt)
            return nil
        } catch {
            return error
        }
    }

    @Test("S-M1: An honest login beside 400 wrong ones from another address is the next but one, and 368 are refused")
    func turns() async throws {
        let lane = lane()
        let barrier = Barrier()
        _ = lane.enqueue(barrier.job, from: "attacker")
        await barrier.reached()
        let order = Mutex<[String]>([])
        let refused = Mutex(0)
        for _ in 0..<400 {
            let job = HashingWorker.Job(run: { order.withLock { $0.append("attacker") } }, drop: {})
            switch lane.enqueue(job, from: "attacker") {
            case .admitted, .replaced: break
            case .sourceIsFull, .queueIsFull: refused.withLock { $0 += 1 }
            }
        }
        let done = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let job = HashingWorker.Job(
                run: {
                    order.withLock { $0.append("honest") }
                    continuation.resume(returning: true)
                }, drop: { continuation.resume(returning: false) })
            _ = lane.enqueue(job, from: "honest")
            barrier.open()
        }
        #expect(done && refused.withLock { $0 } == 400 - 32)
        #expect(order.withLock { $0.firstIndex(of: "honest") } == 1)
    }

    @Test("SA-17: What waits last is done when no other waits")
    func last() async throws {
        let lane = lane()
        let barrier = Barrier()
        _ = lane.enqueue(barrier.job, from: "")
        await barrier.reached()
        let order = Mutex<[String]>([])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let late = HashingWorker.Job(
                run: {
                    order.withLock { $0.append("late") }
                    done.resume()
                }, drop: {})
            _ = lane.enqueue(late, from: "attacker", last: true)
            for name in ["one", "two"] {
                let job = HashingWorker.Job(run: { order.withLock { $0.append(name) } }, drop: {})
                _ = lane.enqueue(job, from: name)
            }
            #expect(lane.count == 3)
            barrier.open()
        }
        #expect(order.withLock { $0 } == ["one", "two", "late"])
    }

    @Test("SA-17: At a name with fifty failures those wait last from whose address its user has never logged in")
    func crowdedName() async throws {
        let (runner, clock) = (MemoryTransactionRunner(), ManualClock())
        let gate = PasswordGate(settings: settings(), transactions: runner, clock: clock)
        let throttle = PasswordThrottle(settings(), runner)
        let (home, other) = (try attempt("jeff", "192.0.2.1"), try attempt("jeff", "192.0.2.2"))
        #expect(await refusal(gate, "right", home) == nil)
        for number in 0..<50 { _ = await refusal(gate, "wrong", try attempt("jeff", "2001:db8:0:\(number)::")) }
        #expect(try await throttle.place(of: home, at: clock.now()) == .inTurn)
        #expect(try await throttle.place(of: other, at: clock.now()) == .last)
        #expect(try await throttle.place(of: try attempt("anna", "192.0.2.2"), at: clock.now()) == .inTurn)
        #expect(await refusal(gate, "right", other) == nil)
        #expect(try await throttle.place(of: other, at: clock.now()) == .inTurn)
        clock.advance(by: .seconds(300))
        #expect(try await throttle.place(of: try attempt("jeff", "192.0.2.3"), at: clock.now()) == .inTurn)
    }

    @Test("The figures of the queue hold for each thread, and docs/operate/operations.md says so")
    func eachLane() async throws {
        for lane in [lane(), lane()] {
            let barrier = Barrier()
            _ = lane.enqueue(barrier.job, from: "")
            await barrier.reached()
            for address in 0..<4 {
                for _ in 0..<40 { _ = lane.enqueue(HashingWorker.Job(run: {}, drop: {}), from: "\(address)") }
                #expect(lane.count == PasswordLoginSettings().queueLimitPerAddress * (address + 1))
            }
            #expect(lane.count == PasswordLoginSettings().queueLimit)
            barrier.open()
        }
        let text = try PackageFolder.text(of: "docs/operate/operations.md").replacing("\n", with: " ")
        let figures =
            "At most \(PasswordLoginSettings().queueLimitPerAddress) tries of one address wait in a queue (a further one: 429)"
            + " and \(PasswordLoginSettings().queueLimit) of all addresses"
        #expect(text.contains("`parallel-checks` threads, each with its own queue") && text.contains(figures))
    }

    @Test("S-M1: A full queue makes room for a source with few waiting, and refuses one with as many as all")
    func fullQueue() {
        var queue = FairQueue<String, Int>(limit: 4, limitPerSource: 3)
        for number in 0..<3 { _ = queue.append(number, from: "one") }
        guard case .sourceIsFull = queue.append(9, from: "one") else {
            Issue.record("not refused")
            return
        }
        _ = queue.append(10, from: "two")
        guard case .replaced(2) = queue.append(20, from: "three") else {
            Issue.record("no room")
            return
        }
        guard case .queueIsFull = queue.append(21, from: "three") else {
            Issue.record("not refused")
            return
        }
        #expect(queue.count == 4)
        var order: [Int] = []
        while let next = queue.next() { order.append(next) }
        #expect(order == [0, 10, 20, 1])
        #expect(queue.count == 0)
    }

    @Test(
        "S-M1: What finds no place is refused at once: a greedy address and a full queue, both told when to come back")
    func refusedAtOnce() async throws {
        let lane = HashingWorker(limit: 3, limitPerSource: 2)
        let gate = PasswordGate(
            settings: settings(), transactions: MemoryTransactionRunner(), clock: ManualClock(), lanes: [lane])
        let barrier = Barrier()
        _ = lane.enqueue(barrier.job, from: "")
        await barrier.reached()
        let one = try attempt("jeff", "192.0.2.1")
        let others = try (2...4).map { try attempt("jeff", "192.0.2.\($0)") }
        await withTaskGroup(of: ServerError?.self) { group in
            for waiting in 1...2 {
                group.addTask { await refusal(gate, "right", one) }
                while lane.count < waiting { await Task.yield() }
            }
            #expect(await refusal(gate, "right", one) == .throttled(retryAfter: .seconds(5)))
            group.addTask { await refusal(gate, "right", others[0]) }
            while lane.count < 3 { await Task.yield() }
            // This one takes the place of the second of the greedy address.
            group.addTask { await refusal(gate, "right", others[1]) }
            let dropped = await group.next() ?? nil
            #expect(dropped == .overloaded(retryAfter: .seconds(5)))
            #expect(await refusal(gate, "right", others[2]) == .overloaded(retryAfter: .seconds(5)))
            barrier.open()
            for await answer in group { #expect(answer == nil) }
        }
    }

    @Test("S-M10: A password whose request ends while it waits is refused at once and never looked at")
    func ended() async throws {
        let (stage, lane) = (LoadStage(), lane())
        let gate = PasswordGate(
            settings: settings(), transactions: MemoryTransactionRunner(), clock: ManualClock(), lanes: [lane],
            load: stage.controller())
        let barrier = Barrier()
        _ = lane.enqueue(barrier.job, from: "")
        await barrier.reached()
        let (lifetime, one) = (stage.lifetime(), try attempt("jeff", "192.0.2.1"))
        async let answer = RequestLifetime.$current.withValue(lifetime) { await refusal(gate, "right", one) }
        while lane.count < 1 { await Task.yield() }
        stage.pass(.seconds(5))
        _ = lifetime.expire()
        #expect(await answer == .overloaded(retryAfter: .seconds(5)))
        barrier.open()
        #expect(await refusal(gate, "right", one) == nil)
        #expect(stage.shed == ["passwords deadline"])
    }

    @Test("S-M1: The throttle is asked before the queue", .timeLimit(.minutes(10)))
    func throttleFirst() async throws {
        let lane = lane()
        let gate = PasswordGate(
            settings: settings(), transactions: MemoryTransactionRunner(), clock: ManualClock(), lanes: [lane])
        let one = try attempt("jeff", "192.0.2.1")
        for _ in 0..<5 { #expect(await refusal(gate, "wrong", one) == .unauthorized) }
        let barrier = Barrier()
        _ = lane.enqueue(barrier.job, from: "")
        await barrier.reached()
        // The lane stands still: an answer that had to wait for it would never come.
        #expect(await refusal(gate, "right", one) == .throttled(retryAfter: .seconds(300)))
        #expect(lane.count == 0)
        barrier.open()
    }

    @Test("S-M1: An address has a limit over all names, which answers alike for names that exist and that do not")
    func perAddress() async throws {
        let gate = PasswordGate(
            settings: settings(perAddress: 20), transactions: MemoryTransactionRunner(), clock: ManualClock())
        let answers = try await withThrowingTaskGroup(of: ServerError?.self) { group in
            for number in 0..<60 {
                let one = try attempt("user-\(number)", "198.51.100.7")
                group.addTask { await refusal(gate, "wrong", one, known: number.isMultiple(of: 2)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 == .unauthorized } <= 20)
        for known in [true, false] {
            let wait = await refusal(gate, "wrong", try attempt("other-\(known)", "198.51.100.7"), known: known)
            if case .throttled = wait { continue }
            // Fewer than the limit were heard at once: the rest is heard now.
            #expect(wait == .unauthorized)
        }
        for number in 0..<40 { _ = await refusal(gate, "wrong", try attempt("more-\(number)", "198.51.100.7")) }
        for known in [true, false] {
            let wait = await refusal(gate, "right", try attempt("last-\(known)", "198.51.100.7"), known: known)
            #expect(wait == .throttled(retryAfter: .seconds(300)))
        }
        #expect(await refusal(gate, "right", try attempt("jeff", "192.0.2.1")) == nil)
    }
}
