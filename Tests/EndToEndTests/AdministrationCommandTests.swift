import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing
import UAF

@Suite("signet-server beside a running server: credentials and dispatch")
struct AdministrationCommandTests {
    private let installation: Installation

    init() throws {
        installation = try Installation()
    }

    /// Runs a command on the installation; `names` come last and may begin with a hyphen.
    private func command(_ arguments: [String], _ names: String...) async throws -> CommandOutcome {
        try await installation.server.administer(
            arguments.prefix(2).joined(separator: " "), Array(arguments.dropFirst(2)), names: names)
    }

    @Test("A code for a running server is drawn, redeemed there and followed; what is removed is gone there at once")
    func besideTheServer() async throws {
        let server = try await installation.server.start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        let picture = installation.scratch.url.appending(path: "code.png").path()
        let dispatched = try await command([
            "dispatch", "authenticate", "-m", "a test", "--user", "anna", "--dispatcher", "png-qr-code", "--out",
            picture,
        ])
        #expect(dispatched.isDone, "\(dispatched.message)")
        #expect(FileManager.default.contents(atPath: picture)?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        let session = try #require(dispatched.result.text("sessionId"))
        #expect(try await command(["dispatch", "status"], session).result.text("status") == "tokenCreated")
        #expect(try await redeem(try #require(dispatched.result.text("token"))) == .ok)
        #expect(try await command(["dispatch", "status"], session).result.text("status") == "clientAuthenticating")
        #expect(try await installation.authenticate(phone, "anna").isDone, "the server goes on")
        let listed = try await command(["credentials", "list"])
        let removed = try await command([
            "credentials", "remove", "-m", "a test", "--user", "anna", "--aaid", "F1D0#1001",
        ])
        #expect(listed.isDone && removed.isDone, "\(removed.message)")
        #expect(try await installation.authenticate(phone, "anna").isDone == false)
        let again = try await command([
            "credentials", "remove", "-m", "a test", "--user", "anna", "--aaid", "F1D0#1001",
        ])
        #expect(again.code == 1 && again.error == "credentialUnknown")
    }

    /// Brings a token back to the running server.
    private func redeem(_ token: String) async throws -> StatusCode {
        let request = BackendRequest(
            .post, installation.server.address + "/nevisfido/token/redeem/authentication",
            headers: [.init("Content-Type", "application/json"), .init("Accept", "application/fido+uaf")],
            body: RedeemRequest(token: token).body)
        return try ReturnUAFRequest(body: try await installation.server.transport().response(to: request).body)
            .statusCode
    }
}
