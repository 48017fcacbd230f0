import CommandSupport
import DeviceCommands
import Foundation

/// Recovery scenario: a forgotten PIN, a lost phone and a new one; each part ends with a user who can authenticate
/// again.
struct RecoveryStory {
    static let user = "anna"

    let stage: DemoStage

    func play(to teller: inout StoryTeller) async {
        var server: ChildProcess?
        await teller.play("server-started", "A server starts with its default rules …") {
            server = try await stage.startServer(users: [Self.user])
            return .good("signet-server answers on \(stage.server.address); anna has an account and a password.")
        }
        guard let server else { return }
        defer { server.stop() }
        let phones = RecoveryPhones(stage: stage)
        await playSecondDevice(phones, to: &teller)
        await playLockedPIN(phones, to: &teller)
        await playLostPhone(phones, to: &teller)
    }

    private func playSecondDevice(_ phones: RecoveryPhones, to teller: inout StoryTeller) async {
        await teller.play("registered", "Anna registers her phone with her password …") {
            try await phones.make([phones.phone, phones.tablet])
            let outcome = try await phones.register(phones.phone, ["--password-file", phones.passwordFile])
            return outcome.isDone ? .good("The phone has a key under a PIN.") : .bad(outcome.message)
        }
        await teller.play("password-alone-refused", "An attacker who knows the password tries another device …") {
            let outcome = try await phones.register(phones.tablet, ["--password-file", phones.passwordFile])
            return .refusal(
                1401, outcome.uafStatus, "A user who has a key adds another one with a key, not a password.")
        }
        await teller.play("tablet-added", "Anna signs in on the phone, and that allows her tablet …") {
            let outcome = try await phones.register(phones.tablet, allowedBy: phones.phone)
            return outcome.isDone
                ? .good("The token of the sign-in has allowed a second key; Anna has a way back now.")
                : .bad(outcome.message)
        }
    }

    private func playLockedPIN(_ phones: RecoveryPhones, to teller: inout StoryTeller) async {
        await teller.play("pin-locked", "Anna has forgotten her PIN, and types wrong ones until the phone is locked …")
        {
            let count = try await WrongPINs.lock(
                phoneIn: phones.phone.folder, of: Self.user, wrongPINFile: stage.wrongPINFile)
            let outcome = try await stage.authenticate(phones.phone, Self.user, step: "pin-locked")
            guard outcome.fidoErrorCode == 0x10 else { return .bad(outcome.message) }
            return .good(
                "\(count) wrong PINs, with waits of 60 and 180 seconds that this story skips with its own clock. "
                    + "Now the right PIN does not open the key either.")
        }
        await teller.play("deregistered-by-phone", "First the phone asks the server to forget its key …") {
            let outcome = try await phones.phone.run(
                "deregister", ["--user", Self.user, "--jws"], record: stage.recording("deregistered-by-phone"))
            guard outcome.isDone else { return .bad(outcome.message) }
            let count = try await phones.credentialCount()
            return count == 1
                ? .good(
                    "No PIN was needed: the phone signs with its device key. The server still has the tablet's key.")
                : .bad("the server has \(count) keys")
        }
        await teller.play("registered-again", "… then Anna registers it again, allowed by the tablet …") {
            let outcome = try await phones.register(phones.phone, allowedBy: phones.tablet)
            guard outcome.isDone else { return .bad(outcome.message) }
            let signedIn = try await stage.authenticate(phones.phone, Self.user, step: "registered-again")
            return signedIn.isDone
                ? .good("The phone has a new key and a new PIN, and signs in.") : .bad(signedIn.message)
        }
    }

    private func playLostPhone(_ phones: RecoveryPhones, to teller: inout StoryTeller) async {
        await teller.play("phone-removed", "Anna loses the phone, and calls the help desk …") {
            let outcome = try await stage.server.administer(
                "devices remove",
                ["--user", Self.user, "--name", RecoveryPhones.phoneName, "--reason", "lost on a journey"])
            guard outcome.isDone else { return .bad(outcome.message) }
            let lost = try await stage.authenticate(phones.phone, Self.user, step: "phone-removed")
            return lost.isDone
                ? .bad("the lost phone still signs in")
                : .good(
                    "“signet-server devices remove” takes phone and key; even with the right PIN it gets nothing now.")
        }
        await teller.play("tablet-stays", "Has the tablet been touched? …") {
            let outcome = try await stage.authenticate(phones.tablet, Self.user, step: "tablet-stays")
            return outcome.isDone ? .good("No: it signs in as before.") : .bad(outcome.message)
        }
        await teller.play("new-phone-invited", "A new phone: the help desk sends an invitation, and Anna scans it …") {
            let picture = stage.file("invitation.png")
            let invitation = try await stage.server.administer(
                "dispatch register",
                ["--reason", "a new phone", "--user", Self.user, "--out", picture.path()])
            guard invitation.isDone else { return .bad(invitation.message) }
            try await phones.make([phones.newPhone])
            let outcome = try await phones.newPhone.run(
                "scan", [picture.path(), "--pin-file", stage.pinFile.path()],
                record: stage.recording("new-phone-invited"))
            guard outcome.isDone else { return .bad(outcome.message) }
            let signedIn = try await stage.authenticate(phones.newPhone, Self.user, step: "new-phone-signs-in")
            return signedIn.isDone ? .good("The new phone signs in.") : .bad(signedIn.message)
        }
        await playDeletion(phones, to: &teller)
    }

    private func playDeletion(_ phones: RecoveryPhones, to teller: inout StoryTeller) async {
        await teller.play("deleted-here-only", "Anna deletes her key on the new phone, and nowhere else …") {
            let outcome = try await phones.newPhone.run("delete-local", ["--user", Self.user])
            guard outcome.isDone else { return .bad(outcome.message) }
            let count = try await phones.credentialCount()
            return count == 2 ? .good("The server knows nothing of it yet.") : .bad("the server has \(count) keys")
        }
        await teller.play("server-told", "… and the phone has kept what it needs to tell the server …") {
            let outcome = try await phones.newPhone.run("sync", ["--remove"], record: stage.recording("server-told"))
            guard outcome.isDone else { return .bad(outcome.message) }
            let count = try await phones.credentialCount()
            return count == 1
                ? .good("The sync has told it; the key of the tablet is the only one left.")
                : .bad("the server has \(count) keys")
        }
    }
}

/// Devices of the user in the recovery scenario, and their operations.
struct RecoveryPhones {
    static let phoneName = "Anna's phone"

    let stage: DemoStage

    /// The phone that is locked first and lost later.
    var phone: PhoneProcess { stage.phone(of: "anna") }
    var tablet: PhoneProcess { stage.phone(of: "anna-tablet") }
    var newPhone: PhoneProcess { stage.phone(of: "anna-new") }

    /// File with the user's password at the server.
    var passwordFile: String { stage.server.passwordFile(of: RecoveryStory.user).path() }

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

    /// Registers a device; `right` holds the options that authorize it.
    func register(_ device: PhoneProcess, _ right: [String]) async throws -> CommandOutcome {
        try await device.run(
            "register", ["--user", RecoveryStory.user, "--pin-file", stage.pinFile.path()] + right)
    }

    /// Registers a device, authorized by an authentication on another one.
    func register(_ device: PhoneProcess, allowedBy other: PhoneProcess) async throws -> CommandOutcome {
        let token = stage.file("token")
        let outcome = try await other.run(
            "authenticate",
            ["--user", RecoveryStory.user, "--pin-file", stage.pinFile.path(), "--token-out", token.path()])
        guard outcome.isDone else { return outcome }
        return try await register(device, ["--token-file", token.path()])
    }

    func credentialCount() async throws -> Int {
        try await stage.server.administer("credentials list", ["--user", RecoveryStory.user])
            .result.objects("credentials").count
    }
}
