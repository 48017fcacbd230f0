import ArgumentParser
import CommandSupport
import ServerAdministration

struct ForgetSubscriber: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Keep no more records for a subscriber that is gone for good.",
        discussion: """
            A subscriber hands records on: to webhooks, to web sites at a logout, to the history of users. Records that one \
            has not read are not pruned, also when the configuration has it no more. Forget it then. One that works, or \
            comes back, begins again at the end of the audit and hands on nothing from before.
            """)

    @Argument(help: "Its name, as \"audit prune\" says it.")
    var subscriber: GivenName

    var step: OperationStep {
        OperationStep(
            .forgetSubscriber, subscriber.text, done: "No record is kept for \(subscriber.terminal) any more.")
    }
}
