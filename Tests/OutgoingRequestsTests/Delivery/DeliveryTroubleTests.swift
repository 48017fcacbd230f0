import OpenID
import OutgoingRequests
import ServerCore
import TestSupport
import Testing

@Suite("Deliveries that fail stand in the log with receiver, reason and next try, a few lines for each outage")
struct DeliveryTroubleTests {
    @Test("A refusal is told with its status, and the end of the outage as well")
    func refusal() async throws {
        let stage = try DeliveryStage()
        _ = stage.add(2)
        let answers = StatusSequence([503, 200])
        let worker = stage.worker(ScriptedSender { _ throws(OutgoingFailure) in answers.next() })
        await worker.pass()
        let next = try #require(stage.storage.kept.messages.first?.nextAttemptAt)
        #expect(
            stage.lines == [
                "warning: outgoing message not taken cause=refusedByStatus failures=1 kind=webhook nextTry=\(next.iso8601) "
                    + "receiver=shop status=503"
            ])
        stage.clock.advance(by: .seconds(10))
        await worker.pass()
        #expect(stage.storage.kept.messages.isEmpty)
        #expect(
            stage.lines.dropFirst() == [
                "notice: outgoing messages are taken again failures=0 kind=webhook receiver=shop"
            ])
    }

    @Test("A receiver that is down for a day has a line for the beginning and one for each hour, not one for each try")
    func outage() async throws {
        let stage = try DeliveryStage()
        _ = stage.add(1)
        let sender = ScriptedSender { _ throws(OutgoingFailure) in throw .unreachable }
        let worker = stage.worker(sender)
        for _ in 1...24 {
            for _ in 1...60 {
                await worker.pass()
                stage.clock.advance(by: .seconds(60))
            }
        }
        let lines = stage.lines.filter { $0.contains("not taken") }
        #expect(lines.count > 1 && lines.count <= 24 && lines.count < sender.requests.count)
        #expect(lines.allSatisfy { $0.contains("cause=unreachable") && $0.contains("receiver=shop") })
    }

    @Test("A receiver that fails and works in turns is told of every few minutes at most")
    func flapping() async throws {
        var stage = try DeliveryStage()
        stage.settings.retries = [.seconds(1)]
        let answers = StatusSequence((0..<100).map { $0.isMultiple(of: 2) ? 500 : 200 })
        let worker = stage.worker(ScriptedSender { _ throws(OutgoingFailure) in answers.next() })
        for _ in 0..<60 {
            _ = stage.add(1)
            await worker.pass()
            stage.clock.advance(by: .seconds(2))
        }
        // One outage is told at the beginning, and its end; two minutes are not enough for another one.
        #expect(stage.lines.count == 2)
    }
}
