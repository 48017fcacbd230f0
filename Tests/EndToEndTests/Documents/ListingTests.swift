import Foundation
import SignetCommands
import StrictJSON
import TestSupport
import Testing

@Suite(
    "The listings of the documents, run against a server", .serialized,
    .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
struct ListingTests {
    private static let settings = """
        authorization: {registration: none}
        fido-uaf:
          facets: ["ios:bundle-id:ListingPlayer", "linux:app-id:org.example.bank"]

        """

    private let chip: SoftwareTPM

    init() throws {
        chip = try SoftwareTPM()
    }

    private func stage(users: [String], push: LocalPushSink? = nil) async throws -> DocumentedProgram {
        let dispatchers =
            push.map { "  dispatchers: [\($0.dispatcher), {type: link, base-url: \"signet://open\"}]\n" } ?? ""
        return try await DocumentedProgram(settings: Self.settings + dispatchers, users: users)
    }

    /// Plays one listing, or the listings of one page, on the same phone as those before.
    private func play(
        _ what: String, _ text: String, on stage: DocumentedProgram, home: String = "one"
    ) throws -> String {
        let ending = try stage.run("ListingPlayer", [what] + stage.place + [text], home: home, chip: chip)
        #expect(ending.status == 0, "\(what): \(ending.complaints)")
        return ending.output
    }

    @Test("D-H3: those of the README register, sign in, and confirm what a laptop has begun")
    func readme() async throws {
        let stage = try await stage(users: ["anna"])
        defer { stage.server.kill() }
        #expect(try play("readme-register", "anna", on: stage) == "tpm anna\n")
        #expect(
            try play("readme-confirm", try await stage.scan("authenticate", for: "anna"), on: stage) == "tpm anna\n")
    }

    @Test("D-H3: those of the guides do what their pages say")
    func guides() async throws {
        let (scratch, programs) = (try TemporaryFolder(named: "signet-push"), try Installation.builtPrograms())
        let sink = try await LocalPushSink(program: programs.server, folder: scratch.url.appending(path: "push-sink"))
        defer { sink.process.stop() }
        let stage = try await stage(users: ["ben", "carl", "dora"], push: sink)
        defer { stage.server.kill() }
        #expect(try play("guide", "ben", on: stage) == "tpm ben\n")
        #expect(try play("guide-redeem", try await stage.scan("register", for: "carl"), on: stage) == "tpm ben,carl\n")
        let confirmation = try await stage.scan("authenticate", for: "carl")
        #expect(try play("guide-redeem", confirmation, on: stage) == "tpm ben,carl\n")
        let removal = try await stage.scan("deregister", for: "carl")
        #expect(
            try play("guide-redeem", removal, on: stage)
                == "tpm ben\nRegistrations of this device were taken back.\n")
        _ = try play("profile", "dora", on: stage, home: "two")
        let credentials = try await stage.installation.server.administer("credentials list", ["--user", "dora"])
        #expect(credentials.result.objects("credentials").map { $0.text("aaid") } == ["FFFF#2001"])
    }

    @Test("D-H3: those of the public reference run with nothing but a configuration, in both forms")
    func reference() async throws {
        let stage = try await stage(users: ["emil", "fred"])
        defer { stage.server.kill() }
        #expect(try play("reference-callbacks", "emil", on: stage) == "tpm emil\n")
        #expect(try play("reference-async", "fred", on: stage) == "tpm emil,fred\n")
    }
}
