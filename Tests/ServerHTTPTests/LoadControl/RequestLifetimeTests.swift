import LoadControl
import TestSupport
import Testing

@Suite("Lifetime of a request: what is begun in time is finished, what waits too long never runs")
struct RequestLifetimeTests {
    private let stage = LoadStage()

    @Test("A request has ended when its time is over, not before")
    func deadline() {
        let lifetime = stage.lifetime()
        stage.pass(.milliseconds(4_999))
        #expect(lifetime.end == nil)
        #expect(lifetime.expire() == .milliseconds(1))
        stage.pass(.milliseconds(1))
        #expect(lifetime.end == .deadlinePassed)
        #expect(lifetime.expire() == nil)
    }

    @Test("The time begins with the last octet, however slowly the client sends")
    func slowBody() {
        let lifetime = stage.lifetime()
        stage.pass(.seconds(8))
        lifetime.isComplete()
        #expect(lifetime.end == nil)
        #expect(lifetime.deadline == Deadline(at: .seconds(13)))
    }

    @Test("A request whose client has left has ended")
    func abandoned() {
        let lifetime = stage.lifetime()
        lifetime.abandon()
        #expect(lifetime.end == .clientLeft)
    }

    @Test("A request that has written is finished, late and also when its client has left")
    func written() {
        let lifetime = stage.lifetime()
        lifetime.isWritten()
        stage.pass(.seconds(60))
        lifetime.abandon()
        #expect(lifetime.end == nil)
    }

    @Test("A wait outside of the server leaves the place to others and counts against no deadline")
    func pausing() async {
        let controller = stage.controller { $0.inFlight = 1 }
        let source = Admission.Source(address: "192.0.2.1")
        guard case .admitted(let ticket) = controller.admit(.first, from: source, waited: .zero) else {
            Issue.record("refused")
            return
        }
        let lifetime = stage.lifetime()
        lifetime.occupies(ticket)
        await RequestLifetime.$current.withValue(lifetime) {
            await RequestLifetime.away(pausing: true) {
                #expect(stage.depth(of: .requests) == 0)
                stage.pass(.seconds(30))
                #expect(lifetime.end == nil)
                #expect(lifetime.expire() != nil)
            }
        }
        #expect(stage.depth(of: .requests) == 1)
        #expect(lifetime.deadline == Deadline(at: .seconds(35)))
        ticket.close()
        ticket.enter()
        #expect(stage.depth(of: .requests) == 0)
    }

    @Test("A wait in a queue of our own leaves the place to others, and the deadline comes nearer")
    func aside() async {
        let lifetime = stage.lifetime()
        await RequestLifetime.$current.withValue(lifetime) {
            await RequestLifetime.away(pausing: false) {
                stage.pass(.seconds(5))
                #expect(lifetime.end == .deadlinePassed)
            }
        }
    }

    @Test("A shared transaction has the latest deadline, and none when one of its members has none")
    func sharedDeadline() {
        let (early, late) = (Deadline(at: .seconds(1)), Deadline(at: .seconds(2)))
        #expect(Deadline.latest(of: [late, early]) == late)
        #expect(Deadline.latest(of: [late, nil]) == nil)
        #expect(late.left(at: .milliseconds(1_500)) == .milliseconds(500) && early.left(at: .seconds(3)) == .zero)
    }

    // MARK: - Places

    @Test("Who waits when the deadline passes gets the refusal at once, and is never taken")
    func expiry() async {
        let (lifetime, place) = (stage.lifetime(), QueueSlot<String>())
        async let outcome = place.outcome(during: lifetime, refused: "refused")
        stage.pass(.seconds(5))
        // Expiring again and again stands for the timer: the waiter may not have entered yet.
        while place.isOpen {
            _ = lifetime.expire()
            await Task.yield()
        }
        #expect(await outcome == "refused")
        #expect(!place.take())
    }

    @Test("Who is taken before the deadline gets the outcome of the work, however late")
    func taken() async {
        let (lifetime, place) = (stage.lifetime(), QueueSlot<String>())
        #expect(place.take())
        stage.pass(.seconds(5))
        _ = lifetime.expire()
        #expect(!place.withdraw("withdrawn"))
        place.end("done")
        place.end("done twice")
        #expect(await place.outcome(during: nil, refused: "refused") == "done")
    }

    @Test("Who comes to a queue after the end does not wait")
    func late() async {
        let (lifetime, place) = (stage.lifetime(), QueueSlot<String>())
        lifetime.abandon()
        #expect(await place.outcome(during: lifetime, refused: "refused") == "refused")
        #expect(!place.isOpen)
    }

    @Test("A client that closes its side gives its place in a queue up, and is served where it need not wait")
    func halfClosed() async {
        let (lifetime, place) = (stage.lifetime(), QueueSlot<String>())
        async let outcome = place.outcome(during: lifetime, refused: "refused")
        while place.isOpen {
            lifetime.halfClose()
            await Task.yield()
        }
        #expect(await outcome == "refused")
        #expect(lifetime.end == nil && lifetime.shedReason == .abandoned)
    }

    @Test("Whose client has closed its side before does not begin to wait, unless it has written")
    func halfClosedBefore() async {
        let (lifetime, place, owed) = (stage.lifetime(), QueueSlot<String>(), QueueSlot<String>())
        lifetime.halfClose()
        #expect(await place.outcome(during: lifetime, refused: "refused") == "refused")
        lifetime.isWritten()
        #expect(owed.take())
        owed.end("done")
        #expect(await owed.outcome(during: lifetime, refused: "refused") == "done")
    }

    @Test("A client that leaves takes its waiter out of the queue")
    func leaving() async {
        let (lifetime, place) = (stage.lifetime(), QueueSlot<String>())
        async let outcome = place.outcome(during: lifetime, refused: "refused")
        lifetime.abandon()
        #expect(await outcome == "refused")
    }
}
