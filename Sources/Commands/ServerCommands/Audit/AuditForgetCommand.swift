import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import UAFService

/// `signet-server audit forget`: forgets how far a subscriber of the audit has read.
struct AuditForgetCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Keep no more records for a subscriber that is gone for good.",
        discussion: """
            A subscriber hands records on: to webhooks, to web sites at a logout, to the history of users. Records that one \
            has not read are not pruned, also when the configuration has it no more. Forget it then. One that works, or \
            comes back, begins again at the end of the audit and hands on nothing from before.
            """)

    @OptionGroup var options: ServerOptions

    @Argument(help: "Its name, as \"audit prune\" says it.")
    var subscriber: String

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        guard try await services.subscriberOffsets.forget(subscriber) else {
            let names = try await services.subscriberOffsets.subscribers().joined(separator: ", ")
            throw CommandFailure.refused(
                "subscriberUnknown", "this subscriber does not exist; the subscribers are: \(names)")
        }
        return CommandReport.Outcome(
            text: "No record is kept for \(ForeignText.name(subscriber)) any more.",
            result: ["forgotten": .string(subscriber)])
    }
}
