import CommandSupport
import Foundation

/// Scenario of a lost database: a backup is made while phones sign in, the database is lost and restored, phones sign in as
/// before, and what had ended stays ended; a copy of the files of a running server is noticed.
struct BackupStory {
    private static let user = "anna"
    private static let busyUser = "ben"
    /// Sign-ins under way while the backup is written.
    private static let load = 3

    let stage: DemoStage

    private var backup: URL { stage.file("backup") }

    func play(to teller: inout StoryTeller) async {
        var server: ChildProcess?
        defer { server?.kill() }
        let visit = BackupVisit(stage: stage, user: Self.user)
        await teller.play("started", "A server starts, two phones are registered, a web site signs Anna in …") {
            server = try await started(visit)
            return .good("The site has an access token and a refresh token, and the browser a session.")
        }
        guard let running = server else { return }
        await playBackup(to: &teller)
        await teller.play("tokens-ended", "Later Anna's tokens, good until then, are revoked …") {
            try await visit.revoke()
        }
        await playCopy(running, to: &teller)
        server = await playRestore(visit, to: &teller)
    }

    private func started(_ visit: BackupVisit) async throws -> ChildProcess {
        try stage.server.configure(BackupVisit.settings)
        let server = try await stage.startServer(users: [Self.user, Self.busyUser])
        do {
            for user in [Self.user, Self.busyUser] {
                let outcome = try await stage.register(user)
                guard outcome.isDone else { throw CommandFailure.local("PhoneFailed", outcome.message) }
            }
            try await visit.join()
            try await visit.signIn()
        } catch {
            server.kill()
            throw error
        }
        return server
    }

    // MARK: - Backup

    private func playBackup(to teller: inout StoryTeller) async {
        await teller.play("backed-up-under-load", "A backup is written while Ben's phone signs in again and again …") {
            try await backedUpUnderLoad()
        }
        await teller.play("backup-verified", "The backup is read and compared with what it says of itself …") {
            let process = try ChildProcess(
                stage.server.program, ["backup", "verify", backup.path()], folder: stage.file("."), name: "verify")
            let ending = await process.ending()
            return ending.code == 0 ? .good("Pages, rows and audit are whole.") : .bad(ending.complaints)
        }
    }

    private func backedUpUnderLoad() async throws -> StoryTeller.Finding {
        async let signIns = signInsDone()
        let outcome = try await stage.server.administer("backup", names: [backup.path()])
        let count = try await signIns
        guard outcome.isDone else { return .bad(outcome.message) }
        guard count == Self.load else { return .bad("a phone could not sign in meanwhile") }
        return .good("One file; \(count) sign-ins went on meanwhile, and the master key is not in it.")
    }

    private func signInsDone() async throws -> Int {
        let phone = stage.phone(of: Self.busyUser)
        var count = 0
        for round in 0..<Self.load {
            let outcome = try await stage.authenticate(phone, Self.busyUser, step: "under-load-\(round)")
            if outcome.isDone { count += 1 }
        }
        return count
    }

    // MARK: - Copy

    private var copied: URL { stage.file("copied/data") }

    /// Copies the files of the running server as an operator might, and starts on the copy.
    private func playCopy(_ server: ChildProcess, to teller: inout StoryTeller) async {
        await teller.play("copy-noticed", "The files were copied with cp, and a server starts on the copy …") {
            let copy = try LocalServer(program: stage.server.program, folder: stage.file("copied"))
            try FileManager.default.createDirectory(at: copied, withIntermediateDirectories: true)
            for name in ["signet.sqlite", "signet.sqlite-wal", "signet.sqlite-shm", "master.key"] {
                try FileManager.default.copyItem(
                    at: stage.server.dataFolder.appending(path: name), to: copied.appending(path: name))
            }
            return try await refused(copy, because: "is a copy")
        }
        await teller.play("put-back-noticed", "The server ends, and the copy is put in the place of its files …") {
            server.stop()
            _ = await server.ending()
            try replaceDatabase(withFilesOf: copied)
            return try await refused(stage.server, because: "was put back")
        }
    }

    private func refused(_ server: LocalServer, because words: String) async throws -> StoryTeller.Finding {
        do {
            try await server.start().kill()
        } catch let failure as CommandFailure where failure.message.contains(words) {
            return .good("The mark beside the database says so: the server does not start before “keys replace”.")
        }
        return .bad("the server has started")
    }

    private func replaceDatabase(withFilesOf folder: URL? = nil) throws {
        for name in ["signet.sqlite", "signet.sqlite-wal", "signet.sqlite-shm"] {
            let place = stage.server.dataFolder.appending(path: name)
            try? FileManager.default.removeItem(at: place)
            if let file = folder?.appending(path: name), FileManager.default.fileExists(atPath: file.path()) {
                try FileManager.default.copyItem(at: file, to: place)
            }
        }
    }

    // MARK: - Restore

    /// Restores the backup, and returns the server that was started on it.
    private func playRestore(_ visit: BackupVisit, to teller: inout StoryTeller) async -> ChildProcess? {
        await teller.play("restored", "The database is gone; the backup is restored …") {
            try replaceDatabase()
            let outcome = try await stage.server.administer("restore", names: [backup.path()])
            return outcome.isDone
                ? .good("Users, keys of phones and sites are back; all keys of the server are new.")
                : .bad(outcome.message)
        }
        var server: ChildProcess?
        await teller.play("signed-in-again", "The server starts, and both sign in with their phones …") {
            server = try await stage.server.start()
            for user in [Self.user, Self.busyUser] {
                let outcome = try await stage.authenticate(stage.phone(of: user), user, step: "signed-in-again-\(user)")
                guard outcome.isDone else { return .bad(outcome.message) }
            }
            return .good("The same phones, the same keys: nothing was asked of Anna and Ben.")
        }
        guard server != nil else { return nil }
        await teller.play("tokens-stay-ended", "The backup is older than the revocation: are the tokens back? …") {
            try await visit.ended()
        }
        await teller.play("site-signs-in-again", "The site signs Anna in anew …") {
            try await visit.signIn()
            return .good("New tokens, from the phone that was registered before the disaster.")
        }
        return server
    }
}
