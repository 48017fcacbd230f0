import CommandSupport
import Foundation

/// Scenario of a web shop without Signet code: sign-in by code and PKCE, a payment, sign-in by CIBA, and the receipt
/// that is verified when the server is gone.
struct RelyingPartyStory {
    private static let user = "anna"
    private static let shopPort = 8_190

    let stage: DemoStage

    /// Runs every step.
    func play(to teller: inout StoryTeller) async {
        var server: ChildProcess?
        var shop: ChildProcess?
        var sink: LocalPushSink?
        defer { withExtendedLifetime(sink) {} }
        defer {
            shop?.kill()
            server?.stop()
        }
        await teller.play("started", "A server starts, a phone is registered, and a shop of Python joins …") {
            let started = try await stage.startPushSink()
            sink = started
            try stage.server.configure(Self.settings(started))
            server = try await stage.startServer(users: [Self.user])
            let registered = try await stage.register(
                Self.user, ["--push-sink", started.address, "--push-ca", started.authorityFile.path()])
            guard registered.isDone else { return .bad(registered.message) }
            shop = try await startShop()
            return .good("The shop knows an address, a name and a secret; it has no line of Signet (standard library).")
        }
        guard server != nil, shop != nil else { return }
        let visit = ShopVisit(
            shop: "http://localhost:\(Self.shopPort)/", authorityFile: stage.server.authorityFile,
            folder: stage.file("browser"))
        await teller.play("signed-in-by-code", "Anna signs in at the shop, and confirms on her phone …") {
            try await confirmed(visit, "sign-in", showing: "Hello \(Self.user)")
        }
        await teller.play("paid", "She buys an umbrella; the phone shows the text that it signs …") {
            try await confirmed(visit, "pay", showing: "Paid: Pay CHF")
        }
        await teller.play("signed-in-by-call", "She signs out; the shop calls her phone instead (CIBA) …") {
            _ = try await visit.press("sign-out")
            return try await called(visit)
        }
        await teller.play("receipt-verified", "The server is stopped; the receipt is verified without it …") {
            let keys = try await keptKeys()
            server?.stop()
            _ = await server?.ending()
            return try await verified(keys)
        }
    }

    private static func settings(_ sink: LocalPushSink) -> String {
        """
        fido-uaf:
          dispatchers:
            - \(sink.dispatcher)
            - { type: link, base-url: "signet://open" }
            - { type: png-qr-code }
        openid:
          enabled: true

        """
    }

    private var receipts: URL { stage.file("receipts") }

    private func startShop() async throws -> ChildProcess {
        let file = try TryShopFile.find(
            besides: stage.phone(of: Self.user).program, path: ProcessInfo.processInfo.environment["PATH"])
        let secret = stage.file("shop-secret")
        let outcome = try await stage.server.administer(
            "client add",
            [
                "--name", "Example Shop", "--redirect", "http://localhost:\(Self.shopPort)/callback", "--secret-file",
                secret.path(), "--ciba", "poll", "--confirmation",
            ], names: ["shop"])
        guard outcome.isDone else { throw CommandFailure.local("ClientFailed", outcome.message) }
        for folder in [receipts, stage.file("browser")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let ready = ReadyFile(url: stage.file("shop-ready.json"))
        let process = try ChildProcess(
            file.python, ["-B", file.program.path()],
            environment: [
                "ISSUER": stage.server.address, "CLIENT_ID": "shop", "CLIENT_SECRET_FILE": secret.path(),
                "CA_FILE": stage.server.authorityFile.path(), "PORT": String(Self.shopPort),
                "RECEIPTS": receipts.path(), "READY_FILE": ready.url.path(),
            ], folder: stage.file("."), name: "shop")
        _ = try await ready.announcement(of: process)
        return process
    }

    /// Presses a button, confirms on the phone what the page of the server asks for, and returns to the shop.
    private func confirmed(
        _ visit: ShopVisit, _ action: String, showing words: String
    ) async throws -> StoryTeller.Finding {
        let asked = try await visit.press(action)
        let signIn = try await visit.send(asked.location)
        guard signIn.status == 303 else { return .bad("the server answered with HTTP \(signIn.status)") }
        let page = try await visit.send(signIn.location)
        guard let link = Self.link(in: page.page) else { return .bad("the page shows no link for the phone") }
        let answer = try await open(link)
        guard answer.isDone else { return .bad(answer.message) }
        guard let token = page.hiddenField("form_token") else { return .bad("the page has no form") }
        // The page's script sends this form as soon as the phone has confirmed.
        let end = try await visit.send(signIn.location, form: "form_token=\(token)&action=finish")
        let back = try await visit.send(end.location)
        let shop = try await visit.send(back.location.isEmpty ? visit.shop : back.location)
        return shop.page.contains(words)
            ? .good("The browser is back at the shop, which says “\(words) …”.")
            : .bad("the shop does not know of it")
    }

    /// Lets the shop call the phone, which fetches what is pending and confirms.
    private func called(_ visit: ShopVisit) async throws -> StoryTeller.Finding {
        _ = try await visit.press("call", "&name=\(Self.user)")
        let phone = stage.phone(of: Self.user)
        let answer = try await phone.run("approve", ["--pin-file", stage.pinFile.path()])
        guard answer.isDone else { return .bad(answer.message) }
        for _ in 0..<20 {
            let answer = try await visit.send(visit.shop + "wait")
            if answer.status == 303 { return .good("The phone showed the words of the page; Anna is signed in.") }
            try await Task.sleep(for: .seconds(1))
        }
        return .bad("the shop has waited for twenty seconds")
    }

    private func open(_ link: String) async throws -> CommandOutcome {
        let file = stage.file("link")
        try PrivateFile(path: file.path()).write(link)
        return try await stage.phone(of: Self.user).run("open", [file.path(), "--pin-file", stage.pinFile.path()])
    }

    /// Link for the phone on the page of the server.
    private static func link(in page: String) -> String? {
        page.components(separatedBy: "\"signet://open").dropFirst().first
            .flatMap { $0.split(separator: "\"").first }
            .map { "signet://open" + $0.replacing("&amp;", with: "&") }
    }

    // MARK: - Receipt

    private func keptKeys() async throws -> URL {
        let file = stage.file("receipt-keys.json")
        let visit = ShopVisit(
            shop: stage.server.address, authorityFile: stage.server.authorityFile, folder: stage.file("browser"))
        let keys = try await visit.send(stage.server.address + "/.well-known/signet-receipt-keys.json")
        guard keys.status == 200 else { throw CommandFailure.local("KeysFailed", "the server shows no receipt keys") }
        try Data(keys.page.utf8).write(to: file)
        return file
    }

    private func verified(_ keys: URL) async throws -> StoryTeller.Finding {
        let files = try FileManager.default.contentsOfDirectory(at: receipts, includingPropertiesForKeys: nil)
        guard let receipt = files.first else { return .bad("the shop has kept no receipt") }
        let process = try ChildProcess(
            stage.phone(of: Self.user).program, ["receipt", "verify", receipt.path(), "--keys", keys.path()],
            folder: stage.file("."), name: "receipt")
        let ending = await process.ending()
        return ending.code == 0
            ? .good("It holds: text, key, signature and place in the audit, with nothing but two files.")
            : .bad("code \(ending.code): \(ending.complaints)")
    }
}
