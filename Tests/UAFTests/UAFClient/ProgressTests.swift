import Testing
import UAF
import UAFClient

@Suite("The common part of the machines")
struct ProgressTests {
    private enum State: Equatable {
        case asking
        case saving
    }

    private typealias Subject = Progress<State, String, Int, CeremonyFailure>

    @Test("A machine that has not begun is idle, waits in no state, and ends with the failure of an event")
    func idle() {
        var progress = Subject()
        #expect(progress.isIdle)
        #expect(progress.state == nil)
        guard case .finish(.failure(.denied)) = progress.stay(.denied) else {
            Issue.record("it did not end")
            return
        }
        #expect(!progress.isIdle)
    }

    @Test("A machine that waits has the state and asks for the effect")
    func waiting() {
        var progress = Subject()
        guard case .perform("ask") = progress.enter(.asking, "ask"), progress.state == .asking, !progress.isIdle else {
            Issue.record("it does not wait")
            return
        }
        _ = progress.enter(.saving, "save")
        #expect(progress.state == .saving)
    }

    @Test("An end is final: it waits in no state, and every later event gets it again")
    func end() {
        var progress = Subject()
        _ = progress.enter(.asking, "ask")
        guard case .finish(.success(7)) = progress.finish(.success(7)) else {
            Issue.record("it did not end")
            return
        }
        #expect(progress.state == nil)
        for failure in [CeremonyFailure.canceled, .noDeviceLock] {
            guard case .finish(.success(7)) = progress.stay(failure) else {
                Issue.record("another end after the end")
                return
            }
        }
    }

    @Test("An answer that was given refuses nothing; the others end the operation as their reason says")
    func answers() {
        if UserAnswer.given(1).refusal != nil { Issue.record("an answer was refused") }
        #expect(UserAnswer<Int>.canceled.refusal?.reportedCode == .userCancelled)
        #expect(UserAnswer<Int>.timedOut.refusal?.reportedCode == .userNotResponsive)
        guard case .denied? = UserAnswer<Int>.denied.refusal else {
            Issue.record("a denial is another failure")
            return
        }
    }

    @Test("Waits are as many as was said, each longer by the growth, and none longer than an hour")
    func waits() {
        var even = RetrySchedule(maxRetries: 2, seconds: 3)
        let evenWaits = (1...3).map { _ in even.next() }
        #expect(evenWaits == [.seconds(3), .seconds(3), nil])
        var growing = RetrySchedule(maxRetries: 3, seconds: 2, growth: 2, longest: 5)
        let growingWaits = (1...3).map { _ in growing.next() }
        #expect(growingWaits == [.seconds(2), .seconds(4), .seconds(5)])
        var endless = RetrySchedule(maxRetries: 1, seconds: .infinity)
        let longest = endless.next()
        #expect(longest == .seconds(3600))
        var none = RetrySchedule.none
        let wait = none.next()
        #expect(wait == nil)
    }
}
