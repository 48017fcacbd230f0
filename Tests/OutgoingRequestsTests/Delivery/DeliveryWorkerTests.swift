import OpenID
import OutgoingRequests
import ServerCore
import TestSupport
import Testing

@Suite("Outgoing messages: each is delivered once, in order, or given up")
struct DeliveryWorkerTests {
    @Test("Messages of one receiver arrive in their order, one at a time, and are forgotten")
    func order() async throws {
        let stage = try DeliveryStage()
        let ids = stage.add(10)
        let sender = ScriptedSender { _ throws(OutgoingFailure) in
            await Task.yield()
            return 204
        }
        await stage.worker(sender).pass()
        #expect(sender.ids == ids)
        #expect(sender.mostAtOnce == 1)
        #expect(stage.storage.kept.messages.isEmpty)
    }

    @Test("A receiver that fails holds its later messages back, and no other receiver's")
    func failure() async throws {
        let stage = try DeliveryStage()
        let failing = stage.add(3)
        let healthy = stage.add(3, for: "bank")
        let sender = ScriptedSender { request throws(OutgoingFailure) in
            request.address.text.contains("shop") ? 500 : 200
        }
        let worker = stage.worker(sender)
        await worker.pass()
        #expect(Set(sender.ids) == Set(healthy + failing.prefix(1)))
        await worker.pass()
        #expect(sender.ids.count == 4, "the second message of the receiver waits for the first")
        let kept = stage.storage.kept.messages
        #expect(kept.count == 3)
        #expect(kept.first?.lastFailure == OutgoingFailure.refusedByStatus.rawValue)
    }

    @Test("A message is tried again under the same identifier, and after the last try it is a dead letter")
    func deadLetter() async throws {
        let stage = try DeliveryStage()
        let ids = stage.add(1)
        let sender = ScriptedSender { _ throws(OutgoingFailure) in throw .timedOut }
        let worker = stage.worker(sender)
        for _ in 0...stage.settings.retries.count {
            await worker.pass()
            stage.clock.advance(by: .seconds(2 * 86_400))
        }
        await worker.pass()
        #expect(sender.ids == Array(repeating: ids[0], count: stage.settings.retries.count + 1))
        let dead = try #require(stage.storage.kept.messages.first)
        #expect(dead.state == .dead)
        #expect(dead.lastFailure == OutgoingFailure.timedOut.rawValue)
        let record = try #require(stage.storage.kept.audit.last)
        #expect(record.kind == .outgoingMessageGivenUp)
        #expect(record.reason == "webhook timedOut")
    }

    @Test("A process that dies between delivery and note leaves a message that comes again under the same identifier")
    func killed() async throws {
        let stage = try DeliveryStage()
        let ids = stage.add(2)
        // What a process leaves that was killed after it had claimed the first message.
        stage.storage.change { state in
            state.messages[0].attempts = 1
            state.messages[0].nextAttemptAt = stage.clock.now() + .seconds(30)
        }
        let sender = ScriptedSender { _ throws(OutgoingFailure) in 200 }
        let worker = stage.worker(sender)
        await worker.pass()
        #expect(sender.ids.isEmpty, "the first may still be under way, and the second comes after it")
        stage.clock.advance(by: .seconds(31))
        await worker.pass()
        #expect(sender.ids == ids)
    }

    @Test("Two processes that both take themselves for the leader send each message once")
    func twoProcesses() async throws {
        let stage = try DeliveryStage()
        let ids = stage.add(12) + stage.add(12, for: "bank")
        let sender = ScriptedSender { _ throws(OutgoingFailure) in
            await Task.yield()
            return 200
        }
        let (one, other) = (stage.worker(sender), stage.worker(sender))
        for _ in 0..<24 where !stage.storage.kept.messages.isEmpty {
            async let first: Void = one.pass()
            async let second: Void = other.pass()
            _ = await (first, second)
        }
        #expect(sender.ids.sorted() == ids.sorted())
        #expect(stage.storage.kept.messages.isEmpty)
    }

    @Test("A message of a receiver that is configured no more is forgotten")
    func unconfigured() async throws {
        let stage = try DeliveryStage()
        _ = stage.add(1, for: "gone")
        let sender = ScriptedSender { _ throws(OutgoingFailure) in 200 }
        await stage.worker(sender).pass()
        #expect(sender.ids.isEmpty)
        #expect(stage.storage.kept.messages.isEmpty)
    }

    @Test("Waits between the tries grow as configured, each a fifth more or less")
    func waits() async throws {
        let stage = try DeliveryStage()
        _ = stage.add(1)
        let sender = ScriptedSender { _ throws(OutgoingFailure) in 503 }
        let worker = stage.worker(sender)
        for wait in stage.settings.retries {
            await worker.pass()
            let message = try #require(stage.storage.kept.messages.first)
            let planned = message.nextAttemptAt - stage.clock.now()
            #expect(planned >= wait * 8 / 10 && planned <= wait * 12 / 10)
            stage.clock.advance(by: planned)
        }
    }
}
