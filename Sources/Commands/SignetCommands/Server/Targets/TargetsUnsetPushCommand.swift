import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server targets unset-push`.
struct TargetsUnsetPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset-push", abstract: "Forget where messages for a dispatch target are pushed.",
        discussion: "Pushes end until the phone names a destination again; links, QR codes and asking still work.")

    @Argument(help: "Id of the target, as \"targets list\" shows it.")
    var id: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Forgets the destination.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.targets.unsetPush(id)
        return CommandReport.Outcome(
            text: "Nothing is pushed to the target any more.", result: ["id": .string(id), "push": .string("unset")])
    }
}
