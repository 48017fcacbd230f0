import Foundation
import NIOSSL
import Octets
import OpenID
import OutgoingRequests
import ServerCore
import TestSupport
import Testing

@Suite("Slow receivers hold up no other", .timeLimit(.minutes(10)))
struct SlowReceiverTests {
    private let folder: TestSupport.TemporaryFolder
    private let tls: TLSConfiguration

    init() throws {
        let authority = try TestAuthority()
        folder = try TestSupport.TemporaryFolder()
        try Data(try authority.pem()).write(to: URL(filePath: folder.path + "/ca.pem"))
        tls = try authority.identity().tlsConfiguration()
    }

    /// Client whose time for a request is longer than the test.
    private func patientClient() throws -> GuardedClient {
        var rules = OutgoingRules()
        rules.allowedNetworks = [try #require(IPNetwork("127.0.0.0/8"))]
        rules.authorityFiles = [folder.path + "/ca.pem"]
        rules.timeout = .seconds(3_600)
        return try GuardedClient(rules, resolver: ScriptedResolver([["127.0.0.1"]]))
    }

    @Test("An honest receiver gets its messages while many others hang, each with older messages")
    func hanging() async throws {
        let honest = try await HostileServer.open(tls, .say("HTTP/1.1 204 No Content\r\n\r\n", then: .open))
        let slow = try await HostileServer.open(tls, .say("", then: .open))
        var stage = try DeliveryStage()
        stage.settings.parallelLimit = 2
        let names = (1...9).map { "slow-\($0)" }
        stage.receivers = try names.map { try DeliveryStage.receiver($0, at: "https://localhost:\(slow.port)/\($0)") }
        stage.receivers.append(try DeliveryStage.receiver("z-honest", at: "https://localhost:\(honest.port)/"))
        for name in names { _ = stage.add(20, for: name) }
        _ = stage.add(3, for: "z-honest")
        let worker = stage.worker(try patientClient())
        let storage = stage.storage
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await worker.run() }
            while storage.kept.messages.contains(where: { $0.destination == "z-honest" }) {
                try? await Task.sleep(for: .milliseconds(5))
            }
            group.cancelAll()
        }
        #expect(stage.storage.kept.messages.count == 180, "none of the others has answered")
        try await honest.close()
        try await slow.close()
    }
}
