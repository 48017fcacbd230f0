import ArgumentParser
import CommandSupport
import MobileAuthentication
import StrictJSON

struct DeviceRecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show or change the name and push messages of this phone, as its servers know them.",
        subcommands: [DeviceRecordShowCommand.self, DeviceRecordChangeCommand.self],
        defaultSubcommand: DeviceRecordShowCommand.self)
}

struct DeviceRecordShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what this phone has told its servers; no server is asked.")

    @OptionGroup var phone: PhoneOptions

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder) { phone in
                guard let information = phone.client.localData.deviceInformation else {
                    throw CommandFailure.refused(
                        "NotRegistered", "no server knows this phone before its first registration")
                }
                return try Self.outcome(information, sink: phone.folder.subscription()?.sink)
            }
        }
    }

    private static func outcome(_ information: DeviceInformation, sink: String?) -> CommandReport.Outcome {
        let push = information.fcmRegistrationToken == nil ? "off" : "on"
        let records = information.idUsernamePairs
        let lines =
            [
                "name: \(ForeignText.name(information.name))", "device id: \(information.deviceId ?? "none")",
                "push messages: \(push)" + (sink.map { ", by \($0)" } ?? ""),
            ] + records.map { "record: \($0.identifier) of \(ForeignText.name($0.username))" }
        return CommandReport.Outcome(
            text: TerminalText(lines: lines),
            result: JSONObject([
                "name": .string(information.name), "deviceID": information.deviceId.map(JSONValue.string),
                "push": .bool(information.fcmRegistrationToken != nil), "sink": sink.map(JSONValue.string),
                "records": .array(
                    records.map {
                        .object(JSONObject(["id": .string($0.identifier), "username": .string($0.username)]))
                    }),
            ]))
    }
}

struct DeviceRecordChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change name or push messages of this phone at all its servers, and here.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var network: NetworkOptions

    @Option(help: ArgumentHelp("The new name, 1 to 128 characters.", valueName: "NAME"))
    var name: String?

    @OptionGroup var push: PushOptions

    @Flag(help: "Switch push messages off.")
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
                // The subscription is stored before servers learn of it: messages to a token that this phone does not
                // know would be lost.
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
