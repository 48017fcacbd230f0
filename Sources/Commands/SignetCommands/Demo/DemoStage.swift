import Foundation

/// Where a story is played: programs, a server with a fresh database, users and phones, all in a temporary folder.
struct DemoStage {
    private static let password = "correct horse battery staple"
    private static let pin = "492716"
    private static let wrongPIN = "618035"

    private let scratch: TemporaryFolder
    private let recordings: URL
    /// The server; it runs once ``startServer()`` returned.
    let server: LocalServer
    private let programs: Programs

    /// Prepares a stage; `recordings` takes the exchanges, by default they go with the stage.
    init(recordings: String?) throws {
        programs = try Programs.besideThisOne()
        scratch = try TemporaryFolder(named: "signet-demo")
        self.recordings =
            recordings.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? scratch.url.appending(path: "recordings")
        server = try LocalServer(program: programs.server, folder: scratch.url.appending(path: "server"))
        try PrivateFile(path: pinFile.path()).write(Self.pin)
        try PrivateFile(path: wrongPINFile.path()).write(Self.wrongPIN)
        try PrivateFile(path: passwordFile.path()).write(Self.password)
    }

    /// The file with the PIN that every phone of the story uses.
    var pinFile: URL { scratch.url.appending(path: "pin") }
    /// The file with the password that every password authenticator of the story uses.
    var passwordFile: URL { scratch.url.appending(path: "password") }
    /// A file with another PIN.
    var wrongPINFile: URL { scratch.url.appending(path: "wrong-pin") }

    /// Starts the server and adds the users of the story.
    func startServer(users: [String]) async throws -> ChildProcess {
        let process = try await server.start()
        for user in users { try await server.addUser(user, password: Self.password) }
        return process
    }

    /// The phone of a user; it does not exist before ``makePhone(of:)``.
    func phone(of user: String) -> PhoneProcess {
        PhoneProcess(
            program: programs.phone, folder: scratch.url.appending(path: "phone-of-\(user)"), logs: scratch.url)
    }

    /// A file that goes with the stage.
    func file(_ name: String) -> URL { scratch.url.appending(path: name) }

    /// Makes the phone of a user; `options` are further ones of `init`.
    func makePhone(of user: String, _ options: [String] = []) async throws -> PhoneProcess {
        let phone = phone(of: user)
        let outcome = try await phone.run(
            "init",
            [
                "--server", server.address, "--ca", server.authorityFile.path(), "--keys", "software", "--name",
                "\(user)'s phone",
            ] + options)
        guard outcome.isDone else { throw CommandFailure.local("PhoneFailed", outcome.message) }
        return phone
    }

    /// A phone with everything that another one has now.
    func copy(_ phone: PhoneProcess) throws -> PhoneProcess {
        let folder = scratch.url.appending(path: phone.folder.lastPathComponent + "-copy")
        try FileManager.default.copyItem(at: phone.folder, to: folder)
        return PhoneProcess(program: phone.program, folder: folder, logs: scratch.url)
    }

    /// Where the exchanges of a step go.
    func recording(_ step: String) -> URL { recordings.appending(path: step, directoryHint: .isDirectory) }
}
