import ArgumentParser
import BackendTransport
import CommandSupport
import DeviceCommands
import Foundation

/// Environment of a demonstration: programs, a server with a new database, users and phones, all in a temporary folder.
struct DemoStage {
    private static let password = "correct horse battery staple"
    private static let pin = "492716"
    private static let wrongPIN = "618035"

    private let scratch: TemporaryFolder
    private let recordings: URL
    /// The server; not running before ``startServer()`` has returned.
    let server: LocalServer
    private let programs: Programs
    /// Program of the server that lies beside this one.
    var presentServer: URL { programs.server }

    /// Creates the folder and its files; `recordings` takes the recorded HTTP exchanges, which by default are deleted
    /// with the folder.
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

    var pinFile: URL { scratch.url.appending(path: "pin") }
    var passwordFile: URL { scratch.url.appending(path: "password") }
    var wrongPINFile: URL { scratch.url.appending(path: "wrong-pin") }

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

    /// Location of a file that is deleted with the folder of the demonstration.
    func file(_ name: String) -> URL { scratch.url.appending(path: name) }

    /// Creates the phone of a user; `keys` say where its keys are, `options` are additional arguments of
    /// `signet device init`.
    func makePhone(
        of user: String, keys: [String] = ["--keys", "software"], _ options: [String] = []
    ) async throws -> PhoneProcess {
        let phone = phone(of: user)
        let outcome = try await phone.run(
            "init",
            [
                "--server", server.address, "--ca", server.authorityFile.path(), "--name", "\(user)'s phone",
            ] + keys + options)
        guard outcome.isDone else { throw CommandFailure.local("PhoneFailed", outcome.message) }
        return phone
    }

    /// Copy of a phone's folder in its present state, as a second phone.
    func copy(_ phone: PhoneProcess) throws -> PhoneProcess {
        let folder = scratch.url.appending(path: phone.folder.lastPathComponent + "-copy")
        try FileManager.default.copyItem(at: phone.folder, to: folder)
        return PhoneProcess(program: phone.program, folder: folder, logs: scratch.url)
    }

    func recording(_ step: String) -> URL { recordings.appending(path: step, directoryHint: .isDirectory) }
}

extension DemoStage {
    /// Creates the phone of a user, with further options of `device init`, and registers it with the server.
    func register(_ user: String, _ options: [String] = []) async throws -> CommandOutcome {
        try await makePhone(of: user, options).run(
            "register",
            [
                "--user", user, "--pin-file", pinFile.path(), "--password-file", server.passwordFile(of: user).path(),
            ],
            record: recording("registered-\(user)"))
    }

    func authenticate(
        _ phone: PhoneProcess, _ user: String, pinFile: URL? = nil, step: String
    ) async throws -> CommandOutcome {
        try await phone.run(
            "authenticate", ["--user", user, "--pin-file", (pinFile ?? self.pinFile).path()], record: recording(step))
    }

    /// Authenticates a user over a hostile network; returns the UAF status in the server's response.
    func attack<Carrier: HostileCarrier>(
        _ user: String, step: String, over network: (any HTTPTransport) -> Carrier
    ) async throws -> Int? {
        var hostile: Carrier?
        let carrier = { (transport: any HTTPTransport) -> any HTTPTransport in
            let carrier = network(transport)
            hostile = carrier
            return carrier
        }
        do {
            try await CarriedSignIn.perform(
                phoneIn: phone(of: user).folder, of: user, pinFile: pinFile, record: recording(step), carrier: carrier)
        } catch {
            // The phone has to be refused; the UAF status says for which reason.
            guard hostile?.lastStatus != nil else { throw error }
        }
        return hostile?.lastStatus
    }
}

extension DemoStage {
    func startPushSink() async throws -> LocalPushSink {
        try await LocalPushSink(program: programs.pushSink, folder: file("push-sink"))
    }
}
