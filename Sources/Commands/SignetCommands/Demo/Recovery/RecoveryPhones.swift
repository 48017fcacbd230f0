import Foundation

/// The devices of the person in the story, and what they do with the server.
struct RecoveryPhones {
    static let phoneName = "Anna's phone"

    let stage: DemoStage

    /// The phone that is locked, and then lost.
    var phone: PhoneProcess { stage.phone(of: "anna") }
    /// A second device.
    var tablet: PhoneProcess { stage.phone(of: "anna-tablet") }
    /// The phone that comes after the lost one.
    var newPhone: PhoneProcess { stage.phone(of: "anna-new") }

    /// The file with the password of the user at the server.
    var passwordFile: String { stage.server.passwordFile(of: RecoveryStory.user).path() }

    /// Makes devices, each with a name.
    func make(_ devices: [PhoneProcess]) async throws {
        for device in devices {
            let name = device.folder == phone.folder ? Self.phoneName : "Anna's " + device.folder.lastPathComponent
            let outcome = try await device.run(
                "init",
                [
                    "--server", stage.server.address, "--ca", stage.server.authorityFile.path(), "--keys", "software",
                    "--name", name,
                ])
            guard outcome.isDone else { throw CommandFailure.local("PhoneFailed", outcome.message) }
        }
    }

    /// Registers a device with what allows it.
    func register(_ device: PhoneProcess, _ right: [String]) async throws -> CommandOutcome {
        try await device.run(
            "register", ["--user", RecoveryStory.user, "--pin-file", stage.pinFile.path()] + right)
    }

    /// Registers a device, allowed by a sign-in on another one.
    func register(_ device: PhoneProcess, allowedBy other: PhoneProcess) async throws -> CommandOutcome {
        let token = stage.file("token")
        let outcome = try await other.run(
            "authenticate",
            ["--user", RecoveryStory.user, "--pin-file", stage.pinFile.path(), "--token-out", token.path()])
        guard outcome.isDone else { return outcome }
        return try await register(device, ["--token-file", token.path()])
    }

    /// How many keys the server has of the user.
    func credentialCount() async throws -> Int {
        try await stage.server.administer("credentials list", ["--user", RecoveryStory.user])
            .result.objects("credentials").count
    }
}
