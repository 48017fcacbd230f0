import CommandSupport
import Foundation

/// Scenario of passkeys: one is registered after a sign-in with the phone, refused beside the phone and during the wait after
/// its removal, lets in then, and is removed.
struct PasskeysStory {
    private static let user = "anna"
    private static let shop = ExampleSite(name: "shop", title: "Example Shop", port: 8_192, options: [])
    private static let packages = "chromium chromium-driver python3-selenium"

    /// Steps of the person in the browser, each with what the story says before it.
    private static let scenes = [
        ("signed-in-by-phone", "In Chromium, Anna opens the page of her devices, and confirms on her phone …"),
        ("passkey-registered", "She adds a passkey in her laptop …"),
        ("passkey-refused", "At the shop she tries the passkey instead of the phone …"),
        ("phone-removed", "She gives the phone away: she removes it on the page of her devices …"),
        ("passkey-waits", "At once she tries the passkey again …"),
        ("signed-in-by-passkey", "A day later she tries it once more …"),
        ("passkey-removed", "She removes the passkey on the page of her devices, and tries it a last time …"),
    ]

    let stage: DemoStage

    func play(to teller: inout StoryTeller) async {
        var processes: [ChildProcess] = []
        defer { for process in processes.reversed() { process.stop() } }
        await teller.play("started", "A server with passkeys starts, a phone is registered, and a shop joins …") {
            try stage.server.configure(Self.settings, host: "localhost")
            processes.append(try await stage.startServer(users: [Self.user]))
            let registered = try await stage.register(Self.user)
            guard registered.isDone else { return .bad(registered.message) }
            processes.append(try await startShop())
            processes.append(try startPerson())
            return .good("Browsers know passkeys by the name of a host: the server is \(stage.server.address).")
        }
        guard processes.count == 3, let person = processes.last else { return }
        for (name, scene) in Self.scenes {
            await teller.play(name, scene) { try await told(name, by: person) }
            guard teller.steps.last?.isAsTold == true else { return }
        }
    }

    private static let settings = """
        fido-uaf:
          dispatchers:
            - { type: link, base-url: "signet://open" }
            - { type: png-qr-code }
        openid:
          enabled: true
          passkeys: { enabled: true }

        """

    private func startShop() async throws -> ChildProcess {
        let secret = stage.file("shop-secret")
        let outcome = try await stage.server.administer(
            "client add",
            [
                "--reason", "a demonstration", "--name", Self.shop.title, "--redirect",
                "http://localhost:\(Self.shop.port)/callback", "--secret-file", secret.path(),
            ], names: [Self.shop.name])
        guard outcome.isDone else { throw CommandFailure.local("ClientFailed", outcome.message) }
        // A running server may remember for a second that this name is no client's.
        try await Task.sleep(for: .milliseconds(1_100))
        return try await Self.shop.start(
            besides: stage.phone(of: Self.user).program, in: stage.file("."),
            [
                "ISSUER": stage.server.address, "CLIENT_SECRET_FILE": secret.path(),
                "CA_FILE": stage.server.authorityFile.path(),
            ])
    }

    /// The Python of Debian comes first: selenium is installed for it.
    private func startPerson() throws -> ChildProcess {
        let phone = stage.phone(of: Self.user)
        let path = "/usr/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin")
        let files = try TryFiles.find(besides: phone.program, path: path)
        let profile = stage.file("browser")
        try FileManager.default.createDirectory(
            at: profile, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let script = files.check.deletingLastPathComponent().appending(path: "passkey_story.py")
        return try ChildProcess(
            files.python, ["-B", script.path()],
            environment: [
                "SHOP": "http://localhost:\(Self.shop.port)/", "ISSUER": stage.server.address, "PERSON": Self.user,
                "PROFILE": profile.path(), "DATABASE": stage.server.databaseFile.path(),
                "SIGNET": phone.program.path(), "DEVICE": phone.folder.path(), "PIN_FILE": stage.pinFile.path(),
            ], folder: stage.file("."), name: "person")
    }

    /// Waits for what the person tells of a step.
    private func told(_ name: String, by person: ChildProcess) async throws -> StoryTeller.Finding {
        while true {
            let isRunning = person.isRunning
            for line in person.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                if line.hasPrefix("ok \(name) ") { return .good(String(line.dropFirst(name.utf8.count + 4))) }
                if line.hasPrefix("FAIL \(name) ") { return .bad(String(line.dropFirst(name.utf8.count + 6))) }
            }
            guard isRunning else {
                let ending = await person.ending()
                return ending.code == 3
                    ? .bad("A browser is missing here, and what drives it: apt-get install \(Self.packages)")
                    : .bad("the browser ended with code \(ending.code): \(ending.complaints.suffix(600))")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
