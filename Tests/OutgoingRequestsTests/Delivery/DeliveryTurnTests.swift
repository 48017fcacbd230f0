import OpenID
import ServerCore
import Testing

@testable import OutgoingRequests

@Suite("Turns of receivers: by seats, the longest without a turn first")
struct DeliveryTurnTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    private func receivers(_ names: String...) -> [OutgoingReceiver] {
        names.map { OutgoingReceiver(kind: .logout, name: $0) }
    }

    @Test("As many have a turn as there are seats, and the others come before them the next time")
    func order() {
        let turns = DeliveryTurns(seatCount: 2)
        let all = receivers("a", "b", "c")
        #expect(turns.take(from: all, at: now) == receivers("a", "b"))
        #expect(turns.take(from: all, at: now).isEmpty)
        turns.end(all[0])
        #expect(turns.take(from: all, at: now) == receivers("c"))
        turns.end(all[1])
        #expect(turns.take(from: all, at: now) == receivers("a"))
    }

    @Test("Slow receivers have seats of their own, and the prompt ones theirs")
    func slow() {
        let turns = DeliveryTurns(seatCount: 1)
        let all = receivers("slow", "slower", "prompt")
        for receiver in all.prefix(2) {
            #expect(turns.take(from: [receiver], at: now) == [receiver])
            turns.answered(receiver, after: .seconds(9), failedAt: nil)
            turns.end(receiver)
        }
        #expect(turns.take(from: all, at: now) == receivers("prompt", "slow"))
        turns.end(all[0])
        #expect(turns.take(from: all, at: now) == receivers("slower"), "one of the slow at a time")
        turns.answered(all[1], after: .milliseconds(1), failedAt: nil)
        turns.end(all[1])
        turns.end(all[2])
        #expect(turns.take(from: receivers("slower"), at: now) == receivers("slower"))
        #expect(turns.take(from: receivers("slow"), at: now) == receivers("slow"), "a prompt one has left its seat")
    }

    @Test("A receiver that fails waits twice as long each time, at most a minute and never beyond its next message")
    func pause() {
        let turns = DeliveryTurns(seatCount: 1)
        let receiver = receivers("down")
        var time = now
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(turns.take(from: receiver, at: time) == receiver)
            turns.answered(receiver[0], after: .milliseconds(1), failedAt: time)
            turns.end(receiver[0])
            #expect(turns.take(from: receiver, at: time + .seconds(seconds) - .milliseconds(1)).isEmpty)
            time = time + .seconds(seconds)
        }
        #expect(turns.take(from: receiver, at: time) == receiver)
        turns.answered(receiver[0], after: .milliseconds(1), failedAt: time, next: time + .seconds(5))
        turns.end(receiver[0])
        #expect(turns.take(from: receiver, at: time + .seconds(5)) == receiver)
        turns.answered(receiver[0], after: .milliseconds(1), failedAt: nil)
        turns.end(receiver[0])
        #expect(turns.take(from: receiver, at: time + .seconds(5)) == receiver, "it works again")
    }

    @Test(
        "A status says whether one message is refused or the receiver is away",
        arguments: [
            (400, false), (410, false), (422, false), (401, true), (404, true), (429, true), (500, true), (503, true),
        ])
    func statuses(_ status: Int, _ isOfReceiver: Bool) {
        #expect(DeliveryFailure(status: status).isOfReceiver == isOfReceiver)
    }
}
