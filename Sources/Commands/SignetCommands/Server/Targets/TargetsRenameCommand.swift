import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server targets rename`.
struct TargetsRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a dispatch target another name.",
        discussion: "The phone takes the name over when its application compares notes with the server.")

    @Argument(help: "Id of the target, as \"targets list\" shows it.")
    var id: String

    @Argument(help: "The new name, 1 to 128 characters; no other target of the user may have it.")
    var name: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Renames.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.targets.rename(id, to: name)
        return CommandReport.Outcome(
            text: "The target is called \(ForeignText.name(name)) now.",
            result: ["id": .string(id), "name": .string(name)])
    }
}
