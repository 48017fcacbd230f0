import CommandSupport
import Foundation

/// Scenario of web sites without Signet code: sign-in by code and PKCE, a payment, sign-in by CIBA, a site with a stock
/// OpenID library, and the receipt that is verified when the server is gone.
struct RelyingPartyStory {
    private static let user = "anna"
    private static let shop = ExampleSite(
        name: "shop", title: "Example Shop", port: 8_190, options: ["--ciba", "poll", "--confirmation"])
    private static let librarySite = ExampleSite(name: "library", title: "Library Site", port: 8_191, options: [])

    let stage: DemoStage

    func play(to teller: inout StoryTeller) async {
        var server: ChildProcess?
        var sites: [ChildProcess] = []
        var sink: LocalPushSink?
        defer { withExtendedLifetime(sink) {} }
        defer {
            for site in sites { site.kill() }
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
            sites.append(try await start(Self.shop))
            return .good("The shop knows an address, a name and a secret; it has no line of Signet (standard library).")
        }
        guard server != nil, !sites.isEmpty else { return }
        let visit = visit(to: Self.shop)
        await teller.play("signed-in-by-code", "Anna signs in at the shop, and confirms on her phone …") {
            try await confirmed(visit, try await visit.press("sign-in"), showing: "Hello \(Self.user)")
        }
        await teller.play("paid", "She buys an umbrella; the phone shows the text that it signs …") {
            try await confirmed(visit, try await visit.press("pay"), showing: "Paid: CHF")
        }
        await teller.play("signed-in-by-call", "She signs out; the shop calls her phone instead (CIBA) …") {
            try await called(visit)
        }
        await teller.play("signed-in-by-library", "In another browser she signs in at a site that uses authlib …") {
            sites.append(try await start(Self.librarySite))
            return try await signedInByLibrary()
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

    private func visit(to site: ExampleSite) -> ShopVisit {
        ShopVisit(
            shop: "http://localhost:\(site.port)/", authorityFile: stage.server.authorityFile,
            folder: stage.file("browser-\(site.name)"))
    }

    private func start(_ site: ExampleSite) async throws -> ChildProcess {
        let secret = stage.file("\(site.name)-secret")
        let outcome = try await stage.server.administer(
            "client add",
            [
                "--reason", "a demonstration", "--name", site.title, "--redirect",
                "http://localhost:\(site.port)/callback", "--secret-file",
                secret.path(),
            ]
                + site.options, names: [site.name])
        guard outcome.isDone else { throw CommandFailure.local("ClientFailed", outcome.message) }
        // A running server may remember for a second that this name is no client's.
        try await Task.sleep(for: .milliseconds(1_100))
        for folder in [receipts, stage.file("browser-\(site.name)")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        return try await site.start(
            besides: stage.phone(of: Self.user).program, in: stage.file("."),
            [
                "ISSUER": stage.server.address, "CLIENT_SECRET_FILE": secret.path(),
                "CA_FILE": stage.server.authorityFile.path(), "RECEIPTS": receipts.path(),
            ])
    }

    /// Follows a site to the page of the server, confirms on the phone what it asks for, and returns to the site.
    private func confirmed(
        _ visit: ShopVisit, _ asked: ShopVisit.Answer, showing words: String
    ) async throws -> StoryTeller.Finding {
        let signIn = try await visit.send(asked.location)
        guard signIn.status == 303 else { return .bad("the server answered with HTTP \(signIn.status)") }
        let end = try await visit.confirm(
            signIn.location, with: stage.phone(of: Self.user), pinFile: stage.pinFile)
        let back = try await visit.send(end.location)
        let shop = try await visit.send(back.location.isEmpty ? visit.shop : back.location)
        return shop.page.contains(words)
            ? .good("The browser is back at the site, which says “\(words) …”.")
            : .bad("the shop does not know of it")
    }

    private func signedInByLibrary() async throws -> StoryTeller.Finding {
        let visit = visit(to: Self.librarySite)
        let asked = try await visit.send(visit.shop + "sign-in")
        return try await confirmed(visit, asked, showing: "Hello \(Self.user)")
    }

    /// Signs out, and lets the shop call the phone, which fetches what is pending and confirms.
    private func called(_ visit: ShopVisit) async throws -> StoryTeller.Finding {
        _ = try await visit.press("sign-out")
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

    // MARK: - Receipt

    private func keptKeys() async throws -> URL {
        let file = stage.file("receipt-keys.json")
        let visit = ShopVisit(
            shop: stage.server.address, authorityFile: stage.server.authorityFile, folder: stage.file("browser-shop"))
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
