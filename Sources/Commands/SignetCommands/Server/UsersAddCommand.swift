import ArgumentParser
import Octets
import ServerCore
import StrictJSON
import UAF

/// `signet-server users add`.
struct UsersAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a user.",
        discussion: """
            The password comes from a file, never from the command line, where every user of the machine could read \
            it; one line feed at its end is not part of it.
            """)

    @Argument(help: "Name that the user logs in with, 1 to 128 characters.")
    var name: String

    @Option(
        name: .long,
        help: ArgumentHelp("File with the password; without it the user cannot log in by password.", valueName: "file"))
    var passwordFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Name that other systems know the user by; random if not given.", valueName: "id"))
    var externalID: String?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in
            let password = try passwordFile.map(Self.password)
            let user = try await services.users.add(name: name, externalID: externalID, password: password)
            return CommandReport.Outcome(
                text: "Added \(user.name) (external id \(user.externalID)).",
                result: ["name": .string(user.name.text), "externalId": .string(user.externalID.text)])
        }
    }

    private static func password(in path: String) throws -> String {
        guard var bytes = PosixFiles().contents(of: path) else {
            throw CommandFailure.local("fileUnusable", "cannot read the password file \(path)")
        }
        defer { SecretOctets.wipe(&bytes) }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let password = String(validating: bytes, as: UTF8.self), !password.isEmpty else {
            throw CommandFailure.local("fileUnusable", "\(path) holds no password in UTF-8")
        }
        return password
    }
}
