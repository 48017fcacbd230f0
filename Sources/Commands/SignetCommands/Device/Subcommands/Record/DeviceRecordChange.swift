import ArgumentParser
import MobileAuthentication
import StrictJSON

/// `signet device info change`: another name, push messages on or off.
struct DeviceRecordChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Changes name or push messages of this phone at all its servers, and here.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions

    @Option(help: ArgumentHelp("The new name, 1 to 128 characters.", valueName: "NAME"))
    var name: String?

    @OptionGroup var push: PushOptions

    @Flag(help: "Switches push messages off.")
    var noPush = false

    func validate() throws {
        guard push.pushSink == nil || !noPush else { throw ValidationError("Give --push-sink or --no-push, not both.") }
        guard name != nil || push.pushSink != nil || noPush else {
            throw ValidationError("Say what to change: --name, --push-sink or --no-push.")
        }
    }

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, network) { phone in
                // Kept first: an address that servers know and this phone has forgotten would swallow messages.
                let subscription = try await push.subscribe()
                if let subscription { try phone.folder.keep(subscription) }
                try await change(on: phone, token: subscription?.token)
                if noPush { try phone.folder.forgetSubscription() }
                if let name { try phone.folder.rename(to: name) }
            }
            return CommandReport.Outcome(text: "Every server of this phone has accepted the change.", result: changes)
        }
    }

    private func change(on phone: Phone, token: String?) async throws {
        let operation = phone.client.operations.deviceInformationChange
        if let name { operation.name(name) }
        if let token { operation.fcmRegistrationToken(token) }
        if noPush { operation.disablePushNotifications() }
        try await operation.perform()
    }

    private var changes: JSONObject {
        JSONObject([
            "name": name.map(JSONValue.string),
            "push": noPush ? .bool(false) : push.pushSink.map { _ in .bool(true) },
        ])
    }
}
