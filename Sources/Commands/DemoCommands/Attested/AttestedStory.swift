import CommandSupport
import Foundation

/// Attested-keys scenario: a policy takes only keys in chips of a known manufacturer; a phone with such a chip proves
/// its key, one with keys in files is refused.
struct AttestedStory {
    private static let owner = "anna"
    private static let other = "ben"

    let stage: DemoStage

    func play(to teller: inout StoryTeller) async {
        var chip: LocalChip?
        await teller.play("chip-certified", "A chip is made, and its manufacturer certifies it …") {
            chip = try await LocalChip(folder: stage.file("chip"))
            return .good("The chip has an endorsement key, and a certificate that says so.")
        }
        guard let chip else { return }
        defer { chip.stop() }
        var server: ChildProcess?
        await teller.play("server-started", "A server starts whose policy takes only keys in chips of that maker …") {
            try stage.server.configure(Self.settings(trusting: chip.authoritiesFile))
            server = try await stage.startServer(users: [Self.owner, Self.other])
            return .good("signet-server answers on \(stage.server.address); anna and ben have accounts.")
        }
        guard let server else { return }
        defer { server.stop() }
        await playProof(on: chip, to: &teller)
        await playRefusal(to: &teller)
    }

    private func playProof(on chip: LocalChip, to teller: inout StoryTeller) async {
        await teller.play("key-proved", "Anna's phone has its keys in the chip, and registers …") {
            let phone = try await stage.makePhone(
                of: Self.owner, keys: ["--keys", "hardware", "--tcti", chip.connection], ["--profile", "linux"])
            let outcome = try await register(phone, Self.owner, step: "key-proved")
            return outcome.isDone
                ? .good(
                    "The chip has shown that it is the certified one, and has stated that it holds the key and counts "
                        + "the PIN.")
                : .bad(outcome.message)
        }
        await teller.play("authenticated", "Anna signs in …") {
            let outcome = try await stage.authenticate(stage.phone(of: Self.owner), Self.owner, step: "authenticated")
            return outcome.isDone ? .good("The chip took the PIN, and the key answered.") : .bad(outcome.message)
        }
    }

    private func playRefusal(to teller: inout StoryTeller) async {
        await teller.play("software-refused", "Ben's phone has its keys in files, and registers …") {
            let phone = try await stage.makePhone(of: Self.other, ["--profile", "linux"])
            let outcome = try await register(phone, Self.other, step: "software-refused")
            return .refusal(1496, outcome.uafStatus, "The phone says: “\(outcome.message)”")
        }
        await teller.play("nothing-stored", "Has the server kept anything of Ben's key? …") {
            let listed = try await stage.server.administer("credentials list", ["--user", Self.other])
            let count = listed.result.objects("credentials").count
            return count == 0 ? .good("No: only Anna has a key there.") : .bad("the server has \(count) keys of ben")
        }
    }

    private func register(_ phone: PhoneProcess, _ user: String, step: String) async throws -> CommandOutcome {
        try await phone.run(
            "register",
            [
                "--user", user, "--pin-file", stage.pinFile.path(), "--password-file",
                stage.server.passwordFile(of: user).path(),
            ], record: stage.recording(step))
    }

    /// Settings of a server that takes PINs of Linux phones, whatever model they present, and only with evidence of a
    /// chip that one of the authorities in a file has certified.
    private static func settings(trusting authorities: URL) -> String {
        """
        fido-uaf:
          key-attestation:
            roots-files: ["\(authorities.path())"]
          policies:
            default:
              accepted: ["FFFF#2001", "FFFF#2101"]
              key-attestation: { rule: required }

        """
    }
}
