import ArgumentParser
import MobileAuthentication
import StrictJSON
import VirtualDevice

/// `signet device show`: what the phone is and what protects it.
struct DeviceShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the phone's settings, authenticators and what protects its keys.")

    @OptionGroup var phone: PhoneOptions

    func run() async throws {
        try await phone.report { try await Phone.use(phone.folder) { try await perform(on: $0) } }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let data = device.client.localData
        let protection = device.client.deviceCapabilities.keyProtection.rawValue
        let facts: KeyValuePairs<String, String> = [
            "name": device.settings.name,
            "server": device.settings.server,
            "profile": device.device.settings.family.rawValue,
            "facet": device.device.settings.facetText,
            "keys protected by": protection,
            "device id": data.deviceInformation?.deviceId ?? "none before the first registration",
        ]
        let authenticators = device.device.authenticators
        let statement = device.device.protectionStatement
        let lines = facts.map { "\($0): \($1)" } + statement.lines + [AuthenticatorTable(authenticators).text]
        return CommandReport.Outcome(
            text: lines.joined(separator: "\n"),
            result: JSONObject([
                "name": .string(device.settings.name),
                "server": .string(device.settings.server),
                "profile": .string(device.device.settings.family.rawValue),
                "facetID": .string(device.device.settings.facetText),
                "keyProtection": .string(protection),
                "protection": .object(statement.json),
                "deviceID": data.deviceInformation?.deviceId.map(JSONValue.string),
                "authenticators": .array(authenticators.map { .object($0.json) }),
            ]))
    }
}
