import ArgumentParser
import BackendAPI
import CommandSupport
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("signet-server credentials")
struct CredentialCommandTests {
    private let stage: AdministrationStage

    init() async throws {
        stage = try await AdministrationStage()
    }

    private func list(_ arguments: [String] = []) async throws -> [JSONObject] {
        try await stage.shown(ListCredentials.self, arguments).flatMap { $0.result.objects("credentials") }
    }

    private func remove(_ arguments: [String]) async throws -> CommandReport.Outcome {
        try await stage.done(RemoveCredentials.self, arguments)
    }

    private func disable(_ arguments: [String]) async throws -> CommandReport.Outcome {
        try await stage.done(DisableCredentials.self, arguments)
    }

    @Test("The list has model, key, counter and last use of each credential, for all users or one")
    func listing() async throws {
        #expect(try await list().map { AdministrationStage.text("userName", $0) } == ["anna", "bert"])
        _ = try await stage.server.authenticate("anna", with: stage.phone)
        let one = try #require(try await list(["--user", "anna"]).first)
        #expect(AdministrationStage.text("aaid", one) == stage.phone.aaid.text)
        #expect(AdministrationStage.text("status", one) == "active")
        #expect(AdministrationStage.text("lastUsedAt", one) == stage.server.clock.now().iso8601)
        #expect(one["device"] == nil)
        let text = try await stage.shown(ListCredentials.self).first?.text.description
        #expect(text?.split(separator: "\n").count == 3)
        let failure = await #expect(throws: CommandFailure.self) { _ = try await list(["--user", "eve"]) }
        #expect(failure?.code == "notFound" && failure?.message.contains("credentials list") == true)
    }

    /// The model and the key of the only credential of a user, as options.
    private func selection(of user: String) async throws -> [String] {
        let credential = try #require(try await list(["--user", user]).first)
        return [
            "--aaid", try #require(AdministrationStage.text("aaid", credential)),
            "--key-id", try #require(AdministrationStage.text("keyId", credential)),
        ]
    }

    @Test("A removed credential proves nothing any more, the audit keeps the removal, others are untouched")
    func remove() async throws {
        let outcome = try await remove(["--user", "anna"] + selection(of: "anna"))
        #expect(try AdministrationStage.list("done", outcome).count == 1)
        #expect(try await stage.server.auditKinds().last == "ADMIN_CREDENTIAL_REMOVED")
        #expect(try await list().map { AdministrationStage.text("userName", $0) } == ["bert"])
        await #expect(throws: ServerError.credentialUnknown) {
            _ = try await remove(["--user", "anna", "--aaid", stage.phone.aaid.text])
        }
    }

    @Test("The key of another user is not removed by the wrong owner's name")
    func foreign() async throws {
        let foreign = try await selection(of: "bert")
        await #expect(throws: ServerError.credentialUnknown) {
            _ = try await remove(["--user", "anna"] + foreign)
        }
        #expect(try await list().count == 2)
    }

    @Test("O-H6: A removal that would take the keys of several phones lists them and asks which")
    func severalDevices() async throws {
        let second = try SyntheticAuthenticator()
        try await stage.server.register(second, for: stage.anna)
        let all = ["--user", "anna", "--aaid", stage.phone.aaid.text]
        let key = try #require(second.credential).keyID.base64URL
        for isRemoval in [true, false] {
            let failure = await #expect(throws: CommandFailure.self) {
                _ = try await isRemoval ? remove(all) : disable(all)
            }
            #expect(failure?.code == "severalDevices" && failure?.message.contains(key) == true)
        }
        #expect(try await list(["--user", "anna"]).count == 2)
        let one = try await remove(all + ["--key-id", key])
        #expect(try AdministrationStage.list("done", one).count == 1)
        try await stage.server.register(second, for: stage.anna)
        #expect(try AdministrationStage.list("done", try await remove(all + ["--all"])).count == 2)
    }

    @Test("S-H7: A disabled credential proves nothing until it is enabled; both are in the audit with the user")
    func disable() async throws {
        let arguments = ["--user", "anna", "--aaid", stage.phone.aaid.text]
        // A request from afterwards may name models at random: anna has no key that can answer it.
        let request = try await stage.server.authenticationRequest(for: "anna")
        _ = try await disable(arguments)
        let answer = try stage.server.client.answer(request, with: [stage.phone])
        #expect(await stage.server.answerAuthentication(answer).message.statusCode == .revokedAuthenticator)
        #expect(
            try await list(["--user", "anna"]).first.flatMap { AdministrationStage.text("status", $0) } == "disabled")
        try await stage.done(EnableCredentials.self, arguments)
        #expect(try await stage.server.authenticate("anna", with: stage.phone).message.statusCode == .ok)
        let texts = try await stage.server.auditTexts().filter { $0.contains("ADMIN_CREDENTIAL_") }
        #expect(texts.count == 2 && texts.allSatisfy { $0.contains("\"username\":\"anna\"") })
    }

    @Test("O-H6: The keys of one device are chosen by its name; an unknown device is refused")
    func byDevice() async throws {
        await #expect(throws: ServerError.credentialUnknown) {
            _ = try await remove(["--user", "anna", "--device", "Anna's phone"])
        }
        await #expect(throws: ServerError.targetUnknown) {
            _ = try await remove(["--user", "anna", "--device", "Bert's phone"])
        }
        #expect(try await list().count == 2)
    }

    @Test(
        "A removal without a model, with a wrong one, or with a key alone is wrong usage",
        arguments: [
            ["--user", "anna"], ["--user", "anna", "--aaid", "F1D0"], ["--user", "anna", "--key-id", "AAAA"],
        ])
    func usage(arguments: [String]) {
        #expect(throws: (any Error).self) {
            _ = try OperationCommand<RemoveCredentials>.parse(arguments + ["--reason", "a test"])
        }
    }
}
