import ArgumentParser
import MobileAuthentication
import StrictJSON

/// `signet device info show`: what this phone has told its servers.
struct DeviceRecordShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what this phone has told its servers; no server is asked.")

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
            text: lines.joined(separator: "\n"),
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
