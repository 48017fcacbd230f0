import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server devices remove`.
struct DevicesRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a phone from an account: for a lost or stolen one.",
        discussion: """
            Goes at once and together: the record of the phone, its keys, what waits for it, and all sessions and \
            tokens of the user, who signs in again on the phones that stay. Keys that no phone has said to be its own \
            stay and are listed: remove those with "credentials remove".
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user; goes with --name.", valueName: "name"))
    var user: String?

    @Option(name: .long, help: ArgumentHelp("Name of the phone, as \"devices list\" shows it.", valueName: "device"))
    var name: String?

    @Argument(help: "Id of the phone, as \"devices list\" shows it, instead of --user and --name.")
    var id: String?

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard (id == nil) == (user != nil), (user == nil) == (name == nil) else {
            throw ValidationError("Say which phone by its id, or by --user and --name.")
        }
    }

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Removes the phone.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let id = try await chosen(on: services)
        let removed = try await services.targets.removeDevice(id)
        var lines = ["Removed the phone with \(removed.count) \(removed.count == 1 ? "key" : "keys")."]
        lines += removed.map { "  \($0.aaid) \($0.keyID)" }
        lines += try await warning(on: services)
        return CommandReport.Outcome(
            text: lines.joined(separator: "\n"),
            result: [
                "id": .string(id),
                "keys": .array(
                    removed.map { .object(["aaid": .string($0.aaid.text), "keyId": .string($0.keyID.base64URL)]) }),
            ])
    }

    private func chosen(on services: ServerServices) async throws -> String {
        guard let user, let name else { return id ?? "" }
        return try await services.targets.targets(ofUserNamed: user).named(name).id.text
    }

    /// Keys that may be on the lost phone, too.
    private func warning(on services: ServerServices) async throws -> [String] {
        guard let user else { return [] }
        let owner = try await services.users.user(named: user)
        let homeless = try await services.users.credentials(of: owner).filter { $0.targetID == nil }
        guard !homeless.isEmpty else { return [] }
        return ["These keys of the user are on a phone that is not known; remove those of this one:"]
            + homeless.map { "  \($0.id.aaid) \($0.id.keyID)" }
    }
}
