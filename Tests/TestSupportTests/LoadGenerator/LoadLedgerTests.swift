import LoadGenerator
import Testing

@Suite("The ledger counts what was due in the measured time, from when it was due")
struct LoadLedgerTests {
    private let plan: LoadPlan
    private let ledger: LoadLedger

    init() {
        var plan = LoadPlan(perSecond: 1, measured: .seconds(10), userCount: 1)
        plan.outstandingLimit = 2
        self.plan = plan
        ledger = LoadLedger(plan)
    }

    private func arrival(at seconds: Double) -> Arrival {
        Arrival(due: .seconds(seconds), operation: .signIn, user: 0, isFresh: false)
    }

    private func end(_ due: Double, _ outcome: ArrivalOutcome, at time: Double) {
        let arrival = arrival(at: due)
        #expect(ledger.admit(arrival))
        ledger.finish(arrival, outcome, at: .seconds(time))
    }

    @Test("Goodput is what succeeded within a second of its arrival")
    func goodput() {
        end(1, .success, at: 2)
        end(2, .success, at: 3.001)
        end(3, .refused(after: .milliseconds(10)), at: 3.01)
        end(4, .failed, at: 4.5)
        let tally = ledger.tally
        #expect(tally.arrivals == 4)
        #expect(tally.successes == 2)
        #expect(tally.timelySuccesses == 1)
        #expect(tally.goodput == 0.1)
        #expect(tally.refusals == 1)
        #expect(tally.failures == 1)
        #expect(tally.unsuccessfulShare == 0.5)
    }

    @Test("A refusal has a latency of its own, and counts as a client that gave up among the others")
    func refusal() {
        end(1, .refused(after: .milliseconds(10)), at: 1.01)
        let tally = ledger.tally
        #expect(tally.refusalLatencies.value(at: 1) <= .milliseconds(11))
        #expect(tally.latencies.value(at: 1) >= plan.patience)
        #expect(tally.goodput == 0)
    }

    @Test("The latencies of successes have nothing of refusals and failures")
    func successLatencies() {
        end(1, .success, at: 1.5)
        end(2, .refused(after: .milliseconds(10)), at: 2.01)
        end(3, .failed, at: 3.2)
        let latencies = ledger.tally.successLatencies
        #expect(latencies.count == 1)
        #expect(latencies.value(at: 1) >= .milliseconds(500) && latencies.value(at: 1) <= .milliseconds(502))
    }

    @Test("A failure after more than the patience counts with its own time")
    func lateFailure() {
        end(1, .failed, at: 21)
        #expect(ledger.tally.latencies.value(at: 1) >= .seconds(20))
    }

    @Test("Arrivals of the warm-up and after the end do not count, however they end")
    func window() {
        end(0.999, .success, at: 5)
        end(11, .failed, at: 11.1)
        #expect(ledger.tally.arrivals == 0)
        end(10.999, .success, at: 11.5)
        #expect(ledger.tally.arrivals == 1)
    }

    @Test("A place is free again when its operation has ended")
    func places() {
        #expect(ledger.admit(arrival(at: 1)))
        #expect(ledger.admit(arrival(at: 2)))
        #expect(!ledger.admit(arrival(at: 3)))
        ledger.finish(arrival(at: 1), .success, at: .seconds(4))
        #expect(ledger.admit(arrival(at: 4)))
        #expect(ledger.tally.overflows == 1)
    }

    @Test("Each operation has its latencies")
    func operations() {
        end(1, .success, at: 1.5)
        let lookup = Arrival(due: .seconds(2), operation: .lookup, user: 0, isFresh: false)
        #expect(ledger.admit(lookup))
        ledger.finish(lookup, .success, at: .seconds(2.1))
        let tally = ledger.tally
        #expect(tally.latenciesByOperation[.signIn]?.count == 1)
        #expect(tally.latenciesByOperation[.lookup]?.value(at: 1) ?? .zero <= .milliseconds(101))
        #expect(tally.latenciesByOperation[.registration] == nil)
        #expect(tally.latencies.count == 2)
    }

    @Test("The lag of the generator is counted")
    func lag() {
        ledger.begin(arrival(at: 2), at: .seconds(2.5))
        ledger.begin(arrival(at: 0), at: .seconds(9))
        #expect(ledger.tally.lags.count == 1)
        #expect(ledger.tally.lags.value(at: 1) >= .milliseconds(500))
    }
}
