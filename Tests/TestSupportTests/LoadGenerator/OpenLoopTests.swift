import LoadGenerator
import Synchronization
import Testing

/// Tally that a run on a virtual time leaves behind.
private final class Outcome: Sendable {
    private let stored = Mutex<LoadTally?>(nil)

    func store(_ tally: LoadTally) { stored.withLock { $0 = tally } }
    var tally: LoadTally? { stored.withLock { $0 } }
}

@Suite("An open-loop load keeps to its schedule, whatever the server does")
struct OpenLoopTests {
    private let time = VirtualTime()

    private func plan(perSecond: Double, seconds: Int = 10) -> LoadPlan {
        var plan = LoadPlan(perSecond: perSecond, measured: .seconds(seconds), userCount: 10)
        plan.pattern = .constant
        return plan
    }

    private func run(
        _ plan: LoadPlan, _ perform: @escaping OpenLoopGenerator<VirtualClock>.Operation
    ) throws -> LoadTally {
        let outcome = Outcome()
        let generator = OpenLoopGenerator(plan, clock: time.clock)
        time.run { outcome.store(await generator.run(perform)) }
        return try #require(outcome.tally)
    }

    @Test("A server that stands still for a second shows in p99")
    func stall() throws {
        let server = StallingServer(on: time, service: .milliseconds(1), stall: .seconds(5)..<(.seconds(6)))
        let tally = try run(plan(perSecond: 500)) { _, _ in
            await server.answer()
            return .success
        }
        #expect(tally.arrivals == 5_000)
        #expect(tally.latencies.value(at: 0.5) <= .milliseconds(2))
        #expect(tally.latencies.value(at: 0.99) >= .milliseconds(900))
        #expect(tally.goodput >= 499)
    }

    @Test("The same stall disappears from a load that waits for each answer, which is why this is not one")
    func coordinatedOmission() {
        let server = StallingServer(on: time, service: .milliseconds(1), stall: .seconds(5)..<(.seconds(6)))
        let latencies = Latencies()
        time.run { [time] in
            while time.now < .seconds(11) {
                let start = time.now
                await server.answer()
                latencies.record(time.now - start)
            }
        }
        #expect(latencies.samples.count > 9_000)
        #expect(latencies.samples.value(at: 0.99) <= .milliseconds(2))
    }

    @Test("The latency begins when the operation was due, also when the generator is late")
    func lateGenerator() throws {
        // Each operation takes the thread of the generator for half as long again as the time between two.
        let tally = try run(plan(perSecond: 100)) { [time] _, lag in
            time.pass(.milliseconds(15))
            return lag < .seconds(60) ? .success : .failed
        }
        #expect(tally.successes == 1_000)
        #expect(tally.lags.value(at: 1) >= .seconds(5))
        #expect(tally.latencies.value(at: 1) >= .seconds(5))
        #expect(tally.goodput < 50)
    }

    @Test("A generator that keeps up has no lag")
    func punctualGenerator() throws {
        let tally = try run(plan(perSecond: 100)) { [time] _, lag in
            time.pass(.milliseconds(5))
            return lag == .zero ? .success : .failed
        }
        #expect(tally.successes == 1_000)
        #expect(tally.lags.value(at: 1) == .zero)
    }

    @Test("An arrival beyond the outstanding ones fails at once and delays no other")
    func overflow() throws {
        var plan = plan(perSecond: 100)
        plan.outstandingLimit = 10
        let tally = try run(plan) { [time] _, _ in
            await time.sleep(until: time.now + .seconds(1))
            return .success
        }
        #expect(tally.arrivals == 1_000)
        #expect(tally.successes == 100)
        #expect(tally.overflows == 900)
        #expect(tally.failures == 900)
        // Successes take their second, and no longer; everything else counts with the patience of a client.
        #expect(tally.latencies.value(at: 0.1) <= .milliseconds(1_005))
        #expect(tally.latencies.value(at: 0.5) >= plan.patience)
    }

    @Test("With places for all that are outstanding none fails")
    func noOverflow() throws {
        var plan = plan(perSecond: 100)
        plan.outstandingLimit = 101
        let tally = try run(plan) { [time] _, _ in
            await time.sleep(until: time.now + .seconds(1))
            return .success
        }
        #expect(tally.overflows == 0)
        #expect(tally.successes == 1_000)
    }

    @Test("A load beyond what the server can do leaves no goodput, where the server queues everything")
    func overload() throws {
        let server = StallingServer(on: time, service: .milliseconds(1))
        var plan = plan(perSecond: 1_500, seconds: 2)
        plan.warmUp = .seconds(3)
        let tally = try run(plan) { _, _ in
            await server.answer()
            return .success
        }
        // The queue grows by half a second each second: after three of them everybody waits longer than one.
        #expect(tally.offeredPerSecond == 1_500)
        #expect(tally.goodput == 0)
    }
}

/// Latencies that a task has noted.
private final class Latencies: Sendable {
    private let stored = Mutex(LatencySamples())

    var samples: LatencySamples { stored.withLock { $0 } }
    func record(_ latency: Duration) { stored.withLock { $0.record(latency) } }
}
