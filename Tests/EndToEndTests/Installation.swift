import BackendTransport
import BackendTransportLinux
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation

/// A server and phones of their own for one test, as separate processes, in a folder that goes with the test.
struct Installation {
    static let password = "canary-password-7f3a9c51"
    static let pin = "483920"

    let scratch: TemporaryFolder
    let programs: Programs
    let server: LocalServer
    /// The port of the server, which stays its own while it is away: other tests run on the same machine.
    private let ports: FreePorts

    /// `settings` are further lines of the server's configuration; without a `managementPort` each start takes a free
    /// one; `launcher` gets the scratch folder and the built server, and gives the program to run in its place.
    init(
        settings: String = "", managementPort: Int? = nil,
        runningServerBy launcher: (URL, URL) throws -> URL = { _, program in program }
    ) throws {
        scratch = try TemporaryFolder(named: "signet-test")
        programs = try Self.builtPrograms()
        ports = try FreePorts(1)
        server = try LocalServer(
            program: try launcher(scratch.url, programs.server), folder: scratch.url.appending(path: "server"),
            settings: settings, port: ports.numbers.first, managementPort: managementPort)
        try PrivateFile(path: pinFile.path()).write(Self.pin)
    }

    /// The programs, which were built with the tests.
    static func builtPrograms() throws -> Programs { try Programs.inFolder(productFolder) }

    /// The programs lie beside the bundle of tests.
    private static var productFolder: URL {
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.firstIndex(of: "--test-bundle-path").map { URL(filePath: arguments[$0 + 1]) }
        let own = bundle ?? URL(filePath: arguments[0]).resolvingSymlinksInPath()
        return own.deletingLastPathComponent()
    }

    /// The certificates that phones of this server trust.
    func authorities() throws -> [Data] {
        try TransportTrust.certificates(inPEM: Array(Data(contentsOf: server.authorityFile))).map { Data($0) }
    }

    var pinFile: URL { scratch.url.appending(path: "pin") }

    /// Makes a phone; `options` are further ones of `init`.
    func phone(_ name: String, _ options: [String] = []) async throws -> PhoneProcess {
        let phone = PhoneProcess(
            program: programs.phone, folder: scratch.url.appending(path: name), logs: scratch.url)
        _ = try await phone.run(
            "init",
            ["--server", server.address, "--ca", server.authorityFile.path(), "--keys", "software"] + options)
        return phone
    }

    /// Makes a user with a phone and registers it.
    func registered(_ user: String) async throws -> (PhoneProcess, CommandOutcome) {
        try await server.addUser(user, password: Self.password)
        let phone = try await phone("phone-of-\(user)")
        return (phone, try await register(phone, user))
    }

    func register(_ phone: PhoneProcess, _ user: String) async throws -> CommandOutcome {
        try await phone.run("register", registration(of: user), record: scratch.url.appending(path: "recordings"))
    }

    func registration(of user: String) -> [String] {
        ["--user", user, "--pin-file", pinFile.path(), "--password-file", server.passwordFile(of: user).path()]
    }

    func authenticate(_ phone: PhoneProcess, _ user: String) async throws -> CommandOutcome {
        try await phone.run("authenticate", authentication(of: user))
    }

    func authentication(of user: String) -> [String] {
        ["--user", user, "--pin-file", pinFile.path()]
    }
}
