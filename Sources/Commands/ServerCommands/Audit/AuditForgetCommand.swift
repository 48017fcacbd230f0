import ArgumentParser
import CommandSupport
import ServerAdministration

struct ForgetSubscriber: OperationWords {
    typealias Manner = Changing

    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Keep no more records for a subscriber that is gone for good.",
        discussion: """
            A subscriber hands records on: to webhooks, to web sites at a logout, to the history of users. Records that one \
            has not read are not pruned, also when the configuration has it no more. Forget it then. One that works, or \
            comes back, begins again at the end of the audit and hands on nothing from before.
            """)

    @Argument(help: "Its name, as \"audit prune\" says it.")
    var subscriber: GivenName

    func steps(on server: some AdministrationConnection) -> [OperationStep] {
        [
            OperationStep(
                request: .init(.forgetSubscriber, subscriber.text),
                done: "No record is kept for \(subscriber.terminal) any more.")
        ]
    }
}
