import CommandSupport
import DemoCommands
import Foundation
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
        _ what: String, _ user: String, _ text: String = "", on stage: DocumentedProgram, home: String = "one",
        isWithoutChip: Bool = false
    ) throws -> String {
        let ending = try stage.run(
            "ListingPlayer", [what] + stage.place + [user, text], home: home, chip: isWithoutChip ? nil : chip)
        #expect(ending.status == 0, "\(what): \(ending.complaints)")
        return ending.output
    }

    @Test("D-H3: the README's register, sign in, and confirm what a laptop has begun")
    func readme() async throws {
        let stage = try await stage(users: ["anna"])
        defer { stage.server.kill() }
        #expect(try play("readme-register", "anna", on: stage) == "tpm anna\n")
        #expect(
            try play("readme-confirm", "anna", try await stage.scan("authenticate", for: "anna"), on: stage)
                == "tpm anna\n")
    }

    @Test("D-H3: the README's run without a TPM as well, and the SDK warns of its software keys")
    func readmeWithoutChip() async throws {
        let stage = try await stage(users: ["anna"])
        defer { stage.server.kill() }
        #expect(try play("readme-register", "anna", on: stage, isWithoutChip: true) == "software anna\n")
    }

    @Test("D-H3: the guides' do what their pages say")
    func guides() async throws {
        let (scratch, programs) = (try TemporaryFolder(named: "signet-push"), try Installation.builtPrograms())
        let sink = try await LocalPushSink(program: programs.pushSink, folder: scratch.url.appending(path: "push-sink"))
        defer { sink.process.stop() }
        let stage = try await stage(users: ["ben", "carl", "dora"], push: sink)
        defer { stage.server.kill() }
        #expect(try play("guide", "ben", on: stage) == "tpm ben\n")
        #expect(
            try play("guide-redeem", "carl", try await stage.scan("register", for: "carl"), on: stage)
                == "tpm ben,carl\n")
        let confirmation = try await stage.scan("authenticate", for: "carl")
        #expect(try play("guide-redeem", "carl", confirmation, on: stage) == "tpm ben,carl\n")
        let removal = try await stage.scan("deregister", for: "carl")
        #expect(
            try play("guide-redeem", "carl", removal, on: stage)
                == "tpm ben\nRegistrations of this device were taken back.\n")
        _ = try play("profile", "dora", on: stage, home: "two")
        #expect(try await models(of: "dora", on: stage) == ["FFFF#2001"])
    }

    @Test("D-H3: listings of the pages under docs lead back after a loss, and register as an application of Linux")
    func pages() async throws {
        let stage = try await stage(users: ["anna", "dora"])
        defer { stage.server.kill() }
        // The lock of the device was taken off: the key is gone here, and goes from the server by the phone's own word.
        #expect(try play("recovery", "anna", on: stage) == "tpm \n")
        #expect(try await models(of: "anna", on: stage) == [])
        _ = try play("linux-presence", "dora", on: stage, home: "two")
        #expect(try await models(of: "dora", on: stage) == ["FFFF#2001"])
    }

    @Test("D-H3: listings of the documentation comments register, sign in, tell errors and take everything back")
    func comments() async throws {
        let stage = try await stage(users: ["mia", "nora"])
        defer { stage.server.kill() }
        #expect(try play("symbols", "mia", on: stage) == "tpm \n")
        #expect(try await models(of: "mia", on: stage) == [])
        #expect(try play("symbols-chip", "nora", on: stage, home: "two") == "tpm nora\n")
    }

    @Test("D-H3: the fragments of the public reference about its two forms run one by one (11.1)")
    func referenceRules() async throws {
        let stage = try await stage(users: ["emil", "fred"])
        defer { stage.server.kill() }
        #expect(try play("reference-callbacks", "emil", on: stage) == "tpm emil\n")
        #expect(try play("reference-async", "fred", on: stage) == "tpm emil,fred\n")
        for fragment in ["callbacks-in-task", "typed-throws", "results", "cancellation", "client-for"] {
            #expect(try play("reference-" + fragment, "emil", on: stage) == "tpm emil,fred\n", "\(fragment)")
        }
    }

    @Test("D-H3: the operations of the public reference run one by one in their asynchronous form (11.2)")
    func referenceOperations() async throws {
        let stage = try await stage(users: ["gina", "hugo"])
        defer { stage.server.kill() }
        let link = try await stage.link("register", for: "gina")
        #expect(try play("reference-auth-cloud", "gina", link, on: stage) == "tpm gina\n")
        let code = try await stage.scan("register", for: "hugo")
        #expect(try play("reference-out-of-band", "hugo", code, on: stage) == "tpm gina,hugo\nregistered\n")
        let login = try await stage.scan("authenticate", for: "hugo")
        #expect(try play("reference-out-of-band", "hugo", login, on: stage) == "tpm gina,hugo\nauthenticated\n")
        let targets = try await stage.installation.server.administer("devices list", ["--user", "hugo"])
        let target = try #require(targets.result.objects("devices").first?.text("id"))
        _ = try await stage.link("authenticate", for: "hugo", ["--target", target])
        #expect(try play("reference-pending", "hugo", on: stage) == "tpm gina,hugo\nauthenticated\n")
        #expect(try play("reference-device-information", "hugo", on: stage) == "tpm gina,hugo\n")
        #expect(try play("reference-local-data", "gina", on: stage) == "tpm hugo\n")
        #expect(try play("reference-deregistration", "hugo", on: stage) == "tpm \n")
        #expect(try await models(of: "hugo", on: stage) == [])
    }

    @Test("D-H3: the three ways of the public reference to ask the user run with every kind of question (11.3)")
    func referenceInteraction() async throws {
        let stage = try await stage(users: ["ida", "jana", "kurt"])
        defer { stage.server.kill() }
        let models = "F1D0#1001 F1D0#1002 F1D0#1004 F1D0#1005"
        #expect(try play("reference-objects", "ida", on: stage) == "tpm ida\nobjects \(models)\n")
        #expect(try play("reference-closures", "jana", on: stage) == "tpm ida,jana\nclosures \(models)\n")
        #expect(try play("reference-stream", "kurt", on: stage, home: "two") == "tpm kurt\nstream \(models)\n")
    }

    @Test("D-H3: a stream brings the account to choose and the seconds of a cool-down too (11.3)")
    func referenceStream() async throws {
        let stage = try await stage(users: ["lena"])
        defer { stage.server.kill() }
        #expect(try play("reference-async", "lena", on: stage) == "tpm lena\n")
        let login = try await stage.scan("authenticate", for: "lena")
        #expect(try play("reference-select-account", "lena", login, on: stage) == "tpm lena\nauthenticated\n")
        #expect(try play("reference-cool-down", "lena", on: stage) == "tpm lena\n")
    }

    /// The models of the keys that the server has of a user.
    private func models(of user: String, on stage: DocumentedProgram) async throws -> [String?] {
        let credentials = try await stage.installation.server.administer("credentials list", ["--user", user])
        return credentials.result.objects("credentials").map { $0.text("aaid") }
    }
}
