import ArgumentParser
import CommandSupport
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerCommands

@Suite("signet-server outgoing")
struct OutgoingCommandTests {
    private let stage: AdministrationStage

    init() async throws { stage = try await AdministrationStage() }

    private func addDead() async throws -> OutgoingMessage {
        var message = OutgoingMessage(
            id: OutgoingMessageID(from: SeededRandom(seed: 9)), kind: .webhook, destination: "shop",
            content: Array("{\"type\":\"x\"}".utf8), createdAt: stage.services.ports.clock.now())
        message.state = .dead
        message.attempts = 8
        message.lastFailure = "timedOut"
        let written = message
        try await stage.sites.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(written)
        }
        return message
    }

    private func list(_ arguments: [String]) async throws -> [JSONObject] {
        try await stage.shown(ListMessages.self, arguments).flatMap { $0.result.objects("messages") }
    }

    @Test("A dead letter is listed without its content, tried again under its identifier, and recorded in the audit")
    func retrying() async throws {
        let message = try await addDead()
        let dead = try #require(try await list(["--dead"]).first)
        #expect(AdministrationStage.text("id", dead) == message.id.text)
        #expect(AdministrationStage.text("lastFailure", dead) == "timedOut")
        #expect(dead["content"] == nil)
        let table = try await stage.shown(ListMessages.self, ["--dead"]).first?.text.description
        #expect(table?.contains("timedOut") == true && table?.hasPrefix("ID") == true)
        #expect(try await list([]).isEmpty)
        try await stage.done(RetryMessage.self, [message.id.text])
        let waiting = try #require(try await list([]).first)
        #expect(AdministrationStage.text("id", waiting) == message.id.text)
        #expect(waiting["attempts"] == .integer(0))
        #expect(try await stage.server.auditKinds().last == "ADMIN_OUTGOING_MESSAGE_RETRIED")
    }

    @Test("A dropped message is gone, and an unknown one is refused")
    func dropping() async throws {
        let message = try await addDead()
        try await stage.done(DropMessage.self, [message.id.text])
        #expect(try await list(["--dead"]).isEmpty)
        for id in [message.id.text, "nonsense"] {
            let failure = await #expect(throws: CommandFailure.self) { try await stage.done(RetryMessage.self, [id]) }
            #expect(failure?.code == "notFound" && failure?.message.contains("outgoing list") == true)
        }
    }
}
