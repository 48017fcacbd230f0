import ArgumentParser
import BackendAPI
import CommandSupport
import Logging
import Octets
import OpenID
import ServerAdministration
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("signet-server dispatch")
struct DispatchCommandTests {
    private static let reason = ["--reason", "a test"]

    private let stage: AdministrationStage

    init() async throws {
        stage = try await AdministrationStage()
    }

    private var server: TestServer { stage.server }

    private func authenticate(
        _ arguments: [String], announce: (CommandReport.Outcome) -> Void = { _ in }
    ) async throws -> CommandReport.Outcome {
        try await DispatchAuthenticateCommand.parse(Self.reason + arguments)
            .outcome(on: stage.connection(), announce: announce)
    }

    private func status(_ arguments: [String]) async throws -> CommandReport.Outcome {
        try await DispatchStatusCommand.parse(arguments).outcome(on: stage.connection())
    }

    @Test("A push shows digits to type, here and not in the payload, and the audit says that an administrator began it")
    func push() async throws {
        let outcome = try await authenticate(["--user", "anna", "--target", stage.target])
        let digits = try #require(AdministrationStage.text("digits", outcome.result))
        #expect(AdministrationStage.text("channelLinking", outcome.result) == "typed")
        #expect(AdministrationStage.text("dispatchResult", outcome.result) == "dispatched")
        #expect(outcome.text.description.contains(digits.map { String($0) }.joined(separator: " ")))
        let content = try stage.device.content(of: try #require(server.push.parcels.last))
        #expect(content.token == AdministrationStage.text("token", outcome.result))
        #expect(content.channelLinking == .typed(length: 2))
        #expect(try await server.auditTexts().suffix(2).allSatisfy { $0.contains("administrator") })
    }

    @Test("A link is shown, and an invitation and a removal are dispatched like a sign-in")
    func link() async throws {
        let outcome = try await authenticate(["--dispatcher", "link"])
        #expect(AdministrationStage.text("link", outcome.result) == server.link.parcels.last?.envelope.text)
        #expect(outcome.result["digits"] == .null)
        let register = try DispatchRegisterCommand.parse(Self.reason + ["--user", "anna", "--dispatcher", "link"])
        let invitation = try await register.outcome(on: stage.connection()) { _ in }
        let token = try #require(AdministrationStage.text("token", invitation.result))
        #expect(await server.redeem(token, for: .registration).statusCode == .ok)
        let deregister = try DispatchDeregisterCommand.parse(Self.reason + ["--user", "bert", "--dispatcher", "link"])
        let removal = try await deregister.outcome(on: stage.connection()) { _ in }
        let last = try #require(AdministrationStage.text("token", removal.result))
        #expect(await server.redeem(last, for: .deregistration).statusCode == .ok)
        #expect(try await stage.services.users.credentials(of: stage.bert).isEmpty)
        #expect(try await stage.services.users.credentials(of: stage.anna).count == 1)
    }

    @Test("O-H2: without --dispatcher a link is taken, drawn as a QR code; --out writes the same as a picture")
    func defaultDispatcher() async throws {
        let drawn = try await authenticate(["--user", "anna"])
        #expect(AdministrationStage.text("dispatcher", drawn.result) == "link")
        #expect(
            drawn.text.description.contains("▀")
                && drawn.text.description.contains("  " + (server.link.parcels.last?.envelope.text ?? "-")))
        let folder = try TestSupport.TemporaryFolder()
        let file = folder.path + "/code.png"
        let written = try await authenticate(["--user", "anna", "--out", file])
        #expect(written.text.description.contains(file) && !written.text.description.contains("▀"))
        #expect(AdministrationStage.text("file", written.result) == file)
        let picture = try #require(PosixFiles().contents(of: file))
        #expect(try ForeignQRReader().texts(inPNGs: [picture]).first == server.link.parcels.last?.envelope.text)
    }

    @Test("The code of a dispatcher's picture is drawn from its answer: no program reads the picture to draw it again")
    func picture() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let address = try #require(LinkAddress("https://link.example/open"))
        for dispatcher in [QRCodeDispatcher(link: nil, logger: logger), .init(link: address, logger: logger)] {
            let server = try await TestServer(authenticators: [stage.phone], dispatchers: [dispatcher])
            let words = Self.reason + ["--dispatcher", dispatcher.name.rawValue]
            let outcome = try await DispatchAuthenticateCommand.parse(words).outcome(on: Self.connection(to: server)) {
                _ in
            }
            let picture = try #require(AdministrationStage.text("picture", outcome.result))
            let text = try #require(try ForeignQRReader().texts(inPNGs: [Base64.decode(picture)]).first)
            #expect(outcome.text.description.contains(ShownCode(text: text).drawing.description))
            let link = AdministrationStage.text("link", outcome.result)
            #expect(link == (dispatcher.name == .linkPNGQRCode ? text : nil))
        }
    }

    @Test("O-H2: the refusal of a dispatcher that is not there names those that are")
    func namedDispatchers() async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            _ = try await authenticate(["--dispatcher", "png-qr-code"])
        }
        #expect(failure?.message.contains("there is firebase-cloud-messaging, link") == true, "\(failure as Any)")
        server.services.ports.dispatchers.replace(with: Dispatchers())
        let none = Self.connection(to: server)
        let empty = await #expect(throws: CommandFailure.self) {
            _ = try await DispatchAuthenticateCommand.parse(Self.reason).outcome(on: none) { _ in }
        }
        #expect(empty?.message.contains("fido-uaf.dispatchers") == true)
    }

    private static func connection(to server: TestServer) -> ServiceConnection {
        let sites = OpenIDServer(server.services, transactions: server.openID, settings: OpenIDSettings())
        return ServiceConnection(name: "the stage", service: AdministrationService(sites))
    }

    @Test("The text to confirm is the file, byte by byte")
    func transaction() async throws {
        let folder = try TestSupport.TemporaryFolder()
        try PosixFiles().write(Array("Pay 100 EUR\nto Anna".utf8), to: folder.path + "/text", mode: 0o600)
        let outcome = try await authenticate([
            "--user", "anna", "--dispatcher", "link", "--transaction-file", folder.path + "/text",
        ])
        let request = await server.redeem(try #require(AdministrationStage.text("token", outcome.result)))
        guard case .authentication(let message) = try TestServer.request(request) else { return }
        #expect(message.transactions.map(\.content) == [Array("Pay 100 EUR\nto Anna".utf8)])
        await #expect(throws: CommandFailure.self) {
            _ = try await authenticate(["--transaction-file", folder.path + "/absent"])
        }
    }

    @Test("What was not dispatched is a refusal in words, and begins nothing")
    func refusals() async throws {
        let refused = [
            ["--user", "eve", "--dispatcher", "link"]: "no such object",
            ["--user", "anna", "--dispatcher", "png-qr-code", "--out", "x"]: "no such dispatcher",
            ["--user", "bert", "--target", stage.target]: "another user's",
        ]
        for (arguments, words) in refused {
            let failure = await #expect(throws: CommandFailure.self) { _ = try await authenticate(arguments) }
            #expect(failure?.message.contains(words) == true && failure?.kind == .refused, "\(failure as Any)")
        }
        try await stage.services.changeDevice(stage.target)
        let failure = await #expect(throws: CommandFailure.self) {
            _ = try await authenticate(["--target", stage.target])
        }
        #expect(failure?.message.contains("no push destination") == true)
    }

    @Test("An administrator's operation makes room for the next; five of a portal do not, and keep off no other")
    func supersession() async throws {
        let first = try await authenticate(["--user", "anna", "--dispatcher", "link"])
        _ = try await authenticate(["--user", "anna", "--dispatcher", "link"])
        let session = try #require(AdministrationStage.text("sessionId", first.result))
        #expect(AdministrationStage.text("status", try await status([session]).result) == "failed")
        for _ in 0..<5 { _ = try await server.dispatch("bert", by: .link) }
        await #expect { _ = try await server.dispatch("bert", by: .link) } throws: { error in
            if case ServerError.tooManyOperations = error { true } else { false }
        }
        _ = try await authenticate(["--user", "bert", "--dispatcher", "link"])
    }

    @Test("Waiting shows the digits first and ends with the operation", .timeLimit(.minutes(10)))
    func waiting() async throws {
        let (announced, announce) = AsyncStream.makeStream(of: CommandReport.Outcome.self)
        async let end = authenticate(["--user", "anna", "--target", stage.target, "--wait", "60"]) {
            announce.yield($0)
        }
        var announcements = announced.makeAsyncIterator()
        let shown = try #require(await announcements.next())
        #expect(shown.result["status"] == .null)
        let request = await server.redeem(try #require(AdministrationStage.text("token", shown.result)))
        let digits = try #require(AdministrationStage.text("digits", shown.result))
        #expect(try await server.answer(request, with: stage.phone, digits: digits).message.statusCode == .ok)
        let ended = try await end
        #expect(ended.text.description.hasPrefix("succeeded, user anna-ext, "))
        guard case .object(let status)? = ended.result["status"] else { return #expect(Bool(false)) }
        #expect(AdministrationStage.text("status", status) == "succeeded")
    }

    @Test("Wrong digits end the wait with a refusal that has the UAF status", .timeLimit(.minutes(10)))
    func failure() async throws {
        let (announced, announce) = AsyncStream.makeStream(of: CommandReport.Outcome.self)
        async let end = authenticate(["--user", "anna", "--target", stage.target, "--wait", "60"]) {
            announce.yield($0)
        }
        var announcements = announced.makeAsyncIterator()
        let shown = try #require(await announcements.next())
        let request = await server.redeem(try #require(AdministrationStage.text("token", shown.result)))
        let wrong = AdministrationStage.text("digits", shown.result) == "00" ? "01" : "00"
        let answer = try await server.answer(request, with: stage.phone, digits: wrong)
        try #require(answer.message.statusCode == .unacceptableContent)
        do {
            _ = try await end
            Issue.record("the operation has failed")
        } catch let failure as CommandFailure {
            #expect(failure.code == "operationFailed" && failure.uafStatus == 1498)
        }
    }

    @Test("The status is told by the session id, never by a token; what is not there is not found")
    func statusCommand() async throws {
        let outcome = try await authenticate(["--user", "anna", "--dispatcher", "link"])
        let session = try #require(AdministrationStage.text("sessionId", outcome.result))
        #expect(AdministrationStage.text("status", try await status([session]).result) == "tokenCreated")
        let token = try #require(AdministrationStage.text("token", outcome.result))
        for absent in ["unknown", token] {
            let failure = await #expect(throws: CommandFailure.self) {
                _ = try await status(["--wait", "9", "--", absent])
            }
            #expect(failure?.code == "notFound")
        }
        server.clock.advance(by: .seconds(120))
        let text = try await status([session, "--wait", "9"]).text.description
        #expect(text.hasPrefix("failed") && text.contains("no phone redeemed the token in time"))
    }

    @Test("Ids that begin with a hyphen are taken for what they are")
    func hyphens() throws {
        #expect(try DispatchAuthenticateCommand.parse(Self.reason + ["--target", "-id"]).dispatch.target == "-id")
        #expect(try DispatchStatusCommand.parse(["--wait", "5", "--", "-id"]).session == "-id")
        let rename = try OperationCommand<RenameDevice>.parse(["-m", "a test", "--", "-id", "Phone"])
        #expect(rename.words.id == "-id")
        let key = "-" + String(repeating: "A", count: 42)
        #expect(
            try DispatchDeregisterCommand.parse(Self.reason + ["--user", "a", "--aaid", "F1D0#0001", "--key-id", key])
                .selection.keyID == key)
    }

    @Test(
        "What no one could see, and what makes no sense, is wrong usage",
        arguments: [
            ["--dispatcher", "firebase-cloud-messaging", "--out", "x.png"], ["--wait", "0"],
            ["--server", "http://127.0.0.1"], ["--channel-linking", "guess"],
        ])
    func usage(arguments: [String]) {
        #expect(throws: (any Error).self) { _ = try DispatchAuthenticateCommand.parse(Self.reason + arguments) }
    }
}
