import CommandSupport
import Foundation
import StrictJSON

/// Steps that cause the four kinds of mismatch between phone and server; the check finds each, the sync repairs it.
struct RepairScenes {
    private static let password = ["--authenticator", "password"]
    private static let reason = ["--reason", "asked for at the help desk"]

    private static let meanings = [
        "DeviceNameMismatch": "phone and server call the phone by different names",
        "FcmRegistrationTokenMismatch": "the server has another push address of the phone, or none",
        "MissingAuthenticatorInServer": "the phone has a key that the server does not know",
        "MissingAuthenticatorInMobileDevice": "the server has a key that the phone does not",
    ]

    let scene: OutOfBandScene

    func play(to teller: inout StoryTeller) async {
        await play(
            "renamed-on-server", "An administrator renames the phone …", finding: "DeviceNameMismatch", to: &teller
        ) {
            try await administer("devices rename", Self.reason, names: [try await target(), "Phone of the front desk"])
        } mended: {
            let name = try await scene.run("info show").result.text("name")
            let there = try await scene.targets().first?.text("name")
            return name == there ? "The server calls the phone by the phone's own name again." : nil
        }
        await play(
            "push-unset-on-server", "An administrator takes its push address away …",
            finding: "FcmRegistrationTokenMismatch", to: &teller
        ) {
            try await administer("devices unset-push", Self.reason, names: [try await target()])
        } mended: {
            let push = try await scene.targets().first?.text("push")
            return push == "on" ? "The phone has sent its address again." : nil
        }
        await play(
            "credential-removed-on-server", "Anna adds a password; the help desk removes it at the server …",
            finding: "MissingAuthenticatorInServer", to: &teller
        ) {
            let aaid = try await registerPassword()
            try await administer(
                "credentials remove", ["--user", OutOfBandScene.user, "--aaid", aaid] + Self.reason)
        } mended: {
            let isLeft = try await accounts(of: "password").contains(OutOfBandScene.user)
            return isLeft ? nil : "The phone has forgotten a key that opened nothing any more."
        }
        await play(
            "authenticator-deleted-locally", "Once more; this time she deletes it on the phone only …",
            finding: "MissingAuthenticatorInMobileDevice", to: &teller
        ) {
            _ = try await registerPassword()
            let outcome = try await scene.run("delete-local", ["--user", OutOfBandScene.user] + Self.password)
            guard outcome.isDone else { throw CommandFailure.local("DeletionFailed", outcome.message) }
        } mended: {
            try await scene.credentials().count == 1 ? "The server has forgotten the public key." : nil
        }
    }

    /// Causes one mismatch and repairs it; `mended` describes the repaired state in a sentence, or returns nil when it
    /// is not repaired.
    private func play(
        _ name: String, _ words: String, finding kind: String, to teller: inout StoryTeller,
        disturb: () async throws -> Void, mended: () async throws -> String?
    ) async {
        await teller.play(name, words) {
            try await disturb()
            let found = try await kinds(of: "check", "mismatches")
            guard found == [kind] else { return .bad("the check found \(found)") }
            let plan = try await kinds(of: "sync", "left", ["--dry-run"])
            guard plan == [kind] else { return .bad("the dry run would repair \(plan)") }
            let done = try await kinds(of: "sync", "mended", ["--remove"], step: name)
            guard done == [kind] else { return .bad("the sync mended \(done)") }
            let left = try await kinds(of: "check", "mismatches")
            guard left.isEmpty, let sentence = try await mended() else { return .bad("it is not repaired: \(left)") }
            return .good(
                "The check finds \(kind) (\(Self.meanings[kind] ?? "no words")), the sync repairs it. \(sentence)")
        }
    }

    private func kinds(
        of command: String, _ member: String, _ arguments: [String] = [], step: String? = nil
    ) async throws -> [String] {
        let outcome = try await scene.run(command, arguments, step: step)
        guard outcome.isDone else { throw CommandFailure.local("PhoneFailed", outcome.message) }
        return outcome.result.objects(member).compactMap { $0.text("kind") }
    }

    private func administer(_ command: String, _ arguments: [String] = [], names: [String] = []) async throws {
        let outcome = try await scene.stage.server.administer(command, arguments, names: names)
        guard outcome.isDone else { throw CommandFailure.local("ServerFailed", outcome.message) }
    }

    private func target() async throws -> String { try await scene.targets().first?.text("id") ?? "" }

    /// Registers the password authenticator, authorized by an authentication; returns its AAID.
    private func registerPassword() async throws -> String {
        let stage = scene.stage
        let user = ["--user", OutOfBandScene.user]
        let token = stage.file("token")
        let steps = [
            ("authenticate", user + ["--pin-file", stage.pinFile.path(), "--token-out", token.path()]),
            (
                "register",
                user + Self.password + ["--secret-file", stage.passwordFile.path(), "--token-file", token.path()]
            ),
        ]
        for (command, arguments) in steps {
            let outcome = try await scene.run(command, arguments)
            guard outcome.isDone else { throw CommandFailure.local("RegistrationFailed", outcome.message) }
        }
        return try await authenticator("password")?.text("aaid") ?? ""
    }

    private func authenticator(_ kind: String) async throws -> JSONObject? {
        try await scene.run("authenticators").result.objects("authenticators").first { $0.text("kind") == kind }
    }

    private func accounts(of kind: String) async throws -> [String] {
        try await authenticator(kind)?.objects("accounts").compactMap { $0.text("username") } ?? []
    }
}
