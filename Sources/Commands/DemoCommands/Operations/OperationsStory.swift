import CommandSupport
import DeviceCommands
import Foundation
import StrictJSON

/// Scenario of an operator, from the first day to the first incident: people are imported and invited, a phone is lost, and
/// removed at the console, the audit answers by command and API, one person is exported and erased, the database is lost and
/// restored, and the server is upgraded.
struct OperationsStory {
    private static let lostOne = "anna"
    private static let other = "ben"
    private static let peopleCount = 1_000

    let stage: DemoStage
    /// Package of the server; nil for the one that lies beside this program.
    let package: String?

    private var backup: URL { stage.file("backup") }
    private var exported: URL { stage.file("anna.json") }

    func play(to teller: inout StoryTeller) async {
        var server: ChildProcess?
        defer { server?.kill() }
        guard let configuration = await playInstallation(to: &teller) else { return }
        await teller.play("started", "The first day: a server starts, and a web site is added …") {
            try stage.server.configure(configuration + BackupVisit.settings)
            server = try await stage.server.start()
            try await visit.join()
            return .good("signet-server answers on \(stage.server.address).")
        }
        guard let first = server else { return }
        server = await playAdministration(first, configuration, to: &teller)
        guard server != nil else { return }
        await playPeople(to: &teller)
        await playLostPhone(to: &teller)
        await playAudit(to: &teller)
        await playPersonalData(to: &teller)
        server = await playDisaster(server, to: &teller)
        guard let running = server else { return }
        server = await playUpgrade(running, to: &teller)
    }

    private var administration: AdministrationVisit { AdministrationVisit(stage: stage) }
    private var visit: BackupVisit { BackupVisit(stage: stage, user: Self.lostOne) }

    /// Runs a command of the operator; throws what it says when it is refused.
    private func administer(_ command: String, _ options: [String] = [], names: [String] = []) async throws
        -> JSONObject
    {
        let outcome = try await stage.server.administer(command, options, names: names)
        guard outcome.isDone else { throw CommandFailure.local("CommandFailed", "\(command): \(outcome.message)") }
        return outcome.result
    }

    /// Unpacks the package, and returns the example configuration in it but for the place of the data; nothing without a
    /// package, nil when it is of no use.
    private func playInstallation(to teller: inout StoryTeller) async -> String? {
        guard let package else { return "" }
        var configuration: String?
        await teller.play("installed", "The package of the server is unpacked, and its configuration checked …") {
            let root = stage.file("package")
            let unpacking = try ChildProcess(
                URL(filePath: "/usr/bin/dpkg-deb"), ["--extract", package, root.path()], folder: stage.file("."),
                name: "dpkg-deb")
            let ending = await unpacking.ending()
            guard ending.code == 0 else { return .bad(ending.complaints) }
            let example = try String(contentsOf: root.appending(path: "etc/signet/signet.yaml"), encoding: .utf8)
            let lines = example.split(separator: "\n").filter { !$0.hasPrefix("data-directory:") }
            let text = lines.joined(separator: "\n") + "\n"
            stage.server.change(to: root.appending(path: "usr/bin/signet-server"))
            try stage.server.configure(text)
            _ = try await administer("config check")
            configuration = text
            return .good("signet-server and the example configuration come from the package.")
        }
        return configuration
    }

    /// Starts the server again with a listener for administrators; the first start has made the certificate of both listeners.
    private func playAdministration(
        _ server: ChildProcess, _ configuration: String, to teller: inout StoryTeller
    ) async -> ChildProcess? {
        var started: ChildProcess?
        await teller.play("administration-opened", "The help desk gets the console, the auditors a key for the API …") {
            server.stop()
            _ = await server.ending()
            try stage.server.configure(configuration + BackupVisit.settings + administration.settings())
            started = try await stage.server.start()
            return .good("Administrators are answered at \(stage.server.administrationAddress).")
        }
        return started
    }

    // MARK: - People and phones

    private func playPeople(to teller: inout StoryTeller) async {
        await teller.play("bad-line-imports-none", "\(Self.peopleCount) people come as a file with one bad line …") {
            let file = try people(isWhole: false)
            let outcome = try await stage.server.administer(
                "users import", ["--reason", "all of the bank"], names: [file])
            guard !outcome.isDone, outcome.message.contains("Line 501") else { return .bad(outcome.message) }
            let count = try await administer("users list", ["--all"]).objects("users").count
            return count == 0 ? .good("The line is named, and no account was added.") : .bad("\(count) were added")
        }
        await teller.play("imported", "… and again, without it …") {
            _ = try await administer(
                "users import", ["--reason", "all of the bank"], names: [try people(isWhole: true)])
            let count = try await administer("users list", ["--all"]).objects("users").count
            return count == Self.peopleCount ? .good("\(count) people have an account.") : .bad("\(count) were added")
        }
        await teller.play("invited", "Anna, Ben and Hana, the help desk, are invited, and scan the code …") {
            for user in [Self.lostOne, Self.other, AdministrationVisit.helpDesk] {
                try await invite(user, phone: stage.phone(of: user))
            }
            return .good("Each phone has registered a key under a PIN.")
        }
        await teller.play("signed-in", "Anna signs in in the application, and at the web site …") {
            try await signIn(Self.lostOne, with: stage.phone(of: Self.lostOne), step: "signed-in")
            try await visit.signIn()
            return .good("The site has shown a code, and the phone has confirmed it.")
        }
    }

    /// Writes a file of people; one that is not whole has a line without a name in its middle.
    private func people(isWhole: Bool) throws -> String {
        var lines = ["username,email"] + (1...Self.peopleCount).map { "person\($0),person\($0)@example.com" }
        lines[1] = "\(Self.lostOne),\(Self.lostOne)@example.com"
        lines[2] = "\(Self.other),\(Self.other)@example.com"
        lines[3] = "\(AdministrationVisit.helpDesk),\(AdministrationVisit.helpDesk)@example.com"
        if !isWhole { lines[500] = ",nameless@example.com" }
        let file = stage.file("people.csv")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        return file.path()
    }

    private func invite(_ user: String, phone: PhoneProcess) async throws {
        let picture = stage.file("\(phone.folder.lastPathComponent).png").path()
        _ = try await administer(
            "dispatch register", ["--reason", "a new phone", "--user", user, "--out", picture])
        let made = try await phone.run(
            "init",
            [
                "--server", stage.server.address, "--ca", stage.server.authorityFile.path(), "--keys", "software",
                "--name", "\(user)'s \(phone.folder.lastPathComponent)",
            ])
        guard made.isDone else { throw CommandFailure.local("PhoneFailed", made.message) }
        let scanned = try await phone.run("scan", [picture, "--pin-file", stage.pinFile.path()])
        guard scanned.isDone else { throw CommandFailure.local("PhoneFailed", scanned.message) }
    }

    private func signIn(_ user: String, with phone: PhoneProcess, step: String) async throws {
        let outcome = try await stage.authenticate(phone, user, step: step)
        guard outcome.isDone else { throw CommandFailure.local("PhoneFailed", outcome.message) }
    }

    private func playLostPhone(to teller: inout StoryTeller) async {
        let lost = stage.phone(of: Self.lostOne)
        await teller.play("console-entered", "Anna loses the phone, and calls Hana, who signs in at the console …") {
            try await administration.signIn()
        }
        await teller.play("phone-removed", "Hana looks for Anna's e-mail address, and removes the phone there …") {
            try await administration.removePhone(
                ofPersonAt: "\(Self.lostOne)@example.com", because: "left on a train")
            let outcome = try await stage.authenticate(lost, Self.lostOne, step: "phone-removed")
            // The server asks for no key of this phone any more: no suitable authenticator (FIDO UAF 1.1, error codes).
            return outcome.fidoErrorCode == 5
                ? .good("The page says so, and the lost phone gets nothing any more.")
                : .bad("the lost phone: \(outcome.message)")
        }
        await teller.play("new-phone", "She gets an invitation for a new one …") {
            let phone = stage.phone(of: "anna-new")
            try await invite(Self.lostOne, phone: phone)
            try await signIn(Self.lostOne, with: phone, step: "new-phone")
            return .good("The new phone signs in.")
        }
    }

    // MARK: - Questions

    private func playAudit(to teller: inout StoryTeller) async {
        var records: [JSONObject] = []
        await teller.play("audit-asked", "When did Anna sign in, how, and where? …") {
            records = try await administer("audit list", ["--user", Self.lostOne, "--kind", "SIGNED_IN"])
                .objects("records")
            let events = records.compactMap { record in
                if case .object(let event)? = record["event"] { event } else { nil }
            }
            let ways = events.compactMap { $0.text("channel") }
            let site = events.compactMap { $0.text("initiator") }
            return ways == ["app", "code", "app"] && site == ["client:shop"]
                ? .good("Three sign-ins: in the application, by a code at the shop, and with the new phone.")
                : .bad("the audit says \(ways.joined(separator: ", ")) at \(site.joined(separator: ", "))")
        }
        await teller.play("audit-asked-by-api", "A program of the auditors asks the same over HTTPS, with its key …") {
            let answered = try await administration.signIns(of: Self.lostOne)
            return !answered.isEmpty && answered == records
                ? .good("It gets the records that the command has shown, and nothing without the key.")
                : .bad("the API has \(answered.count) records, the command \(records.count)")
        }
    }

    private func playPersonalData(to teller: inout StoryTeller) async {
        await teller.play("person-exported", "Anna asks for everything that is kept of her …") {
            _ = try await administer("users export", ["--out", exported.path()], names: [Self.lostOne])
            let text = try String(contentsOf: exported, encoding: .utf8)
            return text.contains("anna@example.com") && text.contains("SIGNED_IN") && !text.contains("ben@example.com")
                ? .good("One file has her attributes, phones, keys and sign-ins, and nothing of Ben.")
                : .bad("the file does not hold her data alone")
        }
        await teller.play("person-erased", "She leaves, and asks to be forgotten …") {
            _ = try await administer(
                "users erase", ["--reason", "asked for by letter", "--yes"], names: [Self.lostOne])
            let named = try await administer("audit list", ["--user", Self.lostOne]).objects("records")
            guard named.isEmpty else { return .bad("\(named.count) records still have her name") }
            _ = try await administer("audit verify")
            return .good("No record has her name any more, and the audit is whole.")
        }
    }

    // MARK: - Disaster

    private func playDisaster(_ server: ChildProcess?, to teller: inout StoryTeller) async -> ChildProcess? {
        await teller.play("backed-up", "A backup is written in the evening …") {
            _ = try await administer("backup", names: [backup.path()])
            return .good("One file, without the master key.")
        }
        await teller.play("restored", "At night the disk of the database is lost; the backup is restored …") {
            server?.kill()
            if let server { _ = await server.ending() }
            for name in ["signet.sqlite", "signet.sqlite-wal", "signet.sqlite-shm"] {
                try? FileManager.default.removeItem(at: stage.server.dataFolder.appending(path: name))
            }
            _ = try await administer("restore", names: [backup.path()])
            return .good("People, phones and sites are back; the keys of the server are new.")
        }
        var started: ChildProcess?
        await teller.play("signed-in-again", "Ben signs in with the phone that he has …") {
            started = try await stage.server.start()
            try await signIn(Self.other, with: stage.phone(of: Self.other), step: "signed-in-again")
            return .good("Nothing was asked of him, and Anna stays forgotten.")
        }
        return started
    }

    private func playUpgrade(_ server: ChildProcess, to teller: inout StoryTeller) async -> ChildProcess? {
        var successor: ChildProcess?
        await teller.play("upgraded", "The server is stopped, and a new program brings its database along …") {
            server.stop()
            let ending = await server.ending()
            guard ending.code == 0 else { return .bad("the server ended with \(ending.code)") }
            stage.server.change(to: stage.presentServer)
            _ = try await administer("migrate apply")
            successor = try await stage.server.start()
            try await signIn(Self.other, with: stage.phone(of: Self.other), step: "upgraded")
            _ = try await administer("audit verify")
            return .good("Ben signs in at the new one, and the audit goes on without a gap.")
        }
        return successor
    }
}
