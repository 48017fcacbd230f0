import CommandSupport
import DeviceCommands
import Foundation
import StrictJSON
import UAF

/// Scenario of an installation that is left for this server: its policies, its metadata, its users with 10,000 keys, and its
/// script against the cloud API; the phone of one user goes on as before.
struct MovingOverStory {
    private static let user = "anna"
    private static let strangers = 9_999
    private static let accessKey = "portal-key-0123456789-0123456789-0123456789"
    /// A policy file with match criteria: the models of the phone here, and the models of the closed SDK by their traits.
    private static let policy = #"""
        {"accepted": [
          [{"aaid": ["FFFF#2101", "FFFF#2102", "FFFF#2103", "FFFF#2104", "FFFF#2105"]}],
          [{"vendorID": ["F1D0"], "authenticationAlgorithms": [2], "assertionSchemes": ["UAFV1TLV"], "attestationTypes": [15880]}]
        ]}
        """#

    let stage: DemoStage

    private var lines: URL { stage.file("people.jsonl") }
    private var metadata: URL { stage.file("metadata.json") }
    private var policyFile: URL { stage.file("policy.json") }
    private var keyFile: URL { stage.file("portal.key") }

    func play(to teller: inout StoryTeller) async {
        var sink: LocalPushSink?
        await teller.play("left", "A server is left: a phone is registered there, its people are exported, it stops …")
        {
            let started = try await stage.startPushSink()
            sink = started
            return try await left(started)
        }
        guard let sink, teller.steps.last?.isAsTold == true,
            let server = try? LocalServer(
                program: stage.server.program, folder: stage.file("new-server"), port: stage.server.port)
        else { return }
        await teller.play(
            "configured", "A new server gets address, certificate, policies and metadata of the old one …"
        ) {
            try await configured(server, sink)
        }
        await playImport(server, to: &teller)
        var process: ChildProcess?
        defer { process?.stop() }
        await teller.play("signed-in", "The new server starts; the phone, which knows nothing of it, signs in …") {
            process = try await server.start()
            let outcome = try await stage.authenticate(stage.phone(of: Self.user), Self.user, step: "moved-sign-in")
            return outcome.isDone
                ? .good("The same key and the same PIN, without a new registration.") : .bad(outcome.message)
        }
        guard process != nil else { return }
        await teller.play(
            "confirmed", "The old script asks the cloud API for a confirmation, by a message to the phone …"
        ) {
            try await confirmed(by: server)
        }
    }

    // MARK: - The old server

    private func left(_ sink: LocalPushSink) async throws -> StoryTeller.Finding {
        try stage.server.configure(Self.uaf(sink))
        let old = try await stage.startServer(users: [Self.user])
        defer { old.kill() }
        let registered = try await stage.register(
            Self.user, ["--push-sink", sink.address, "--push-ca", sink.authorityFile.path()])
        guard registered.isDone else { return .bad(registered.message) }
        old.stop()
        _ = await old.ending()
        let path = "/usr/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin")
        let files = try TryFiles.find(besides: stage.phone(of: Self.user).program, path: path)
        try await ExportedServer(
            strangers: Self.strangers, database: stage.server.databaseFile, python: files.python
        ).write(to: lines, in: stage.file("."))
        return .good("One user with a phone and \(Self.strangers) others, with a key each, stand in a file.")
    }

    // MARK: - The new server

    private static func uaf(_ sink: LocalPushSink, _ more: String = "") -> String {
        """
        fido-uaf:
          dispatchers:
            - \(sink.dispatcher)
            - { type: link, base-url: "signet://open" }
        \(more)
        """
    }

    private func configured(_ server: LocalServer, _ sink: LocalPushSink) async throws -> StoryTeller.Finding {
        let statements = MetadataCatalog.product.statements.map(\.json)
        try Data(JSONWriter.write(.array(statements))).write(to: metadata)
        try Data(Self.policy.utf8).write(to: policyFile)
        try PrivateFile(path: keyFile.path()).write(Self.accessKey)
        try server.configure(
            Self.uaf(
                sink,
                """
                  metadata: { path: "\(metadata.path())" }
                  default-policy: default
                  policies: { default: { file: "\(policyFile.path())" } }
                relying-party-api: { enabled: true }
                out-of-band:
                  access-keys:
                    - { name: portal, key-file: "\(keyFile.path())", scopes: [approve, status] }

                """))
        try FileManager.default.createDirectory(
            at: server.dataFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            at: stage.server.dataFolder.appending(path: "tls"), to: server.dataFolder.appending(path: "tls"))
        let checked = try await server.administer("config check")
        return checked.isDone ? .good("The configuration is read, and nothing in it is wrong.") : .bad(checked.message)
    }

    private func playImport(_ server: LocalServer, to teller: inout StoryTeller) async {
        let words = ["--from", "signet-jsonl", "-m", "we move over"]
        await teller.play("tried", "A trial says what an import would do …") {
            let outcome = try await server.administer("import", words + ["--dry-run"], names: [lines.path()])
            return outcome.isDone ? Self.finding(outcome.result, "A trial finds") : .bad(outcome.message)
        }
        await teller.play("imported", "People, phone and keys are imported …") {
            let outcome = try await server.administer("import", words, names: [lines.path()])
            return outcome.isDone ? Self.finding(outcome.result, "There are") : .bad(outcome.message)
        }
        await teller.play("imported-once", "The operator is not sure, and repeats the command …") {
            let outcome = try await server.administer("import", words, names: [lines.path()])
            return outcome.isDone && outcome.result["already"] == .bool(true)
                ? .good("The file was imported; nothing is done twice.") : .bad(outcome.message)
        }
    }

    private static func finding(_ result: JSONObject, _ words: String) -> StoryTeller.Finding {
        let counts = try? result["counts"]?.asObject()
        let (users, keys) = (counts?.number("users") ?? 0, counts?.number("credentials") ?? 0)
        guard users == strangers + 1, keys == strangers + 1, counts?.number("bad") == 0 else {
            return .bad("\(users) users and \(keys) keys are not all of them")
        }
        return .good("\(words) \(users) users, a phone and \(keys) keys, and no bad line.")
    }

    // MARK: - The script

    /// Posts to the cloud API as curl does.
    private func post(_ path: String, _ body: String, to server: LocalServer) async throws -> JSONObject {
        let folder = stage.file("script")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let visit = ShopVisit(shop: server.address, authorityFile: server.authorityFile, folder: folder)
        let answer = try await visit.send(
            server.address + "/api/v1/" + path, form: body.replacing("\"", with: "\\\""),
            headers: ["Content-Type: application/json;charset=utf-8", "Authorization: Bearer \(Self.accessKey)"])
        guard (200...201).contains(answer.status) else {
            throw CommandFailure.local("ScriptFailed", "\(path): HTTP \(answer.status): \(answer.page)")
        }
        return try JSONParser.parse(Array(answer.page.utf8)).asObject()
    }

    private func confirmed(by server: LocalServer) async throws -> StoryTeller.Finding {
        let phone = stage.phone(of: Self.user)
        let begun = try await post(
            "approval",
            #"{"username":"\#(Self.user)","channel":"push","prompt":"true","message":"Pay CHF 12 to the shop?"}"#,
            to: server)
        guard let token = begun.text("statusToken") else { return .bad("the server began nothing") }
        let message = stage.file("push-message.json")
        let heard = try await phone.run("listen", ["--out", message.path()])
        guard heard.isDone else { return .bad(heard.message) }
        guard let digits = begun.text("digits") else { return .bad("the answer has no digits to show") }
        let screen = stage.file("digits")
        try PrivateFile(path: screen.path()).write(digits)
        let outcome = try await phone.run(
            "approve",
            [message.path(), "--pin-file", stage.pinFile.path(), "--digits-file", screen.path()])
        guard outcome.isDone else { return .bad(outcome.message) }
        let status = try await post("status", #"{"statusToken":"\#(token)","wait":20000}"#, to: server)
        return status.text("status") == "succeeded"
            ? .good("The phone was sent the text by its old push token, sealed for its old key, and signed it.")
            : .bad("the script sees \(status.text("status") ?? "nothing")")
    }
}
