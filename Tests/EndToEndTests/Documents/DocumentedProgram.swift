import CommandSupport
import DemoCommands
import Foundation
import TestSupport
import Testing

/// A server for the programs of the documents, and a home folder in which they keep their keys.
struct DocumentedProgram {
    let installation: Installation
    let server: ChildProcess
    private let home: URL

    /// Starts a server that lets the applications of the documents in, with users of these names.
    init(settings: String = "", users: [String] = []) async throws {
        installation = try Installation(settings: settings)
        home = installation.scratch.url.appending(path: "home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        server = try await installation.server.start()
        for user in users { try await installation.server.addUser(user, password: Installation.password) }
    }

    /// The link for an operation that waits for a user.
    func link(_ command: String, for user: String, _ options: [String] = []) async throws -> String {
        let outcome = try await installation.server.administer(
            "dispatch \(command)",
            ["--reason", "a test", "--user", user, "--dispatcher", "link"] + options)
        return try #require(outcome.result.text("link"), "\(outcome.message)")
    }

    /// What a scan of the code for an operation brings.
    func scan(_ command: String, for user: String) async throws -> String {
        let link = try await link(command, for: user)
        return try #require(URLComponents(string: link)?.queryItems?.first?.value)
    }

    /// Runs a program as the user of a desktop does; `chip` is the TPM of the machine, nil for a machine without one.
    func run(
        _ program: String, _ arguments: [String], home name: String = "one", chip: SoftwareTPM? = nil,
        typing: String = ""
    ) throws -> BuiltProgram.Ending {
        try BuiltProgram(program).run(
            arguments,
            environment: [
                "HOME": home.path(), "XDG_DATA_HOME": home.appending(path: name).path(),
                "SIGNET_TCTI": chip?.connectionName ?? "device:/nowhere", "TSS2_LOG": "all+NONE",
            ], input: Array(typing.utf8))
    }

    /// The host and the certificate, as the programs take them.
    var place: [String] { ["127.0.0.1:\(installation.server.port)", installation.server.authorityFile.path()] }
}
