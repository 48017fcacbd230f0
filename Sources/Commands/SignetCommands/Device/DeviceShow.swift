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
        try await phone.report { try await Phone.use(phone.folder, nil, perform) }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let data = device.client.localData
        let protection = device.client.deviceCapabilities.keyProtection.rawValue
        let facts: KeyValuePairs<String, String> = [
            "name": device.settings.name,
            "server": device.settings.server,
            "facet": device.device.settings.facetText,
            "keys protected by": protection,
            "device id": data.deviceInformation?.deviceId ?? "none before the first registration",
        ]
        let authenticators = data.authenticators.map(describe)
        let statement = device.device.protectionStatement
        let lines = facts.map { "\($0): \($1)" } + statement.lines + authenticators.map(\.text)
        return CommandReport.Outcome(
            text: lines.joined(separator: "\n"),
            result: JSONObject([
                "name": .string(device.settings.name),
                "server": .string(device.settings.server),
                "facetID": .string(device.device.settings.facetText),
                "keyProtection": .string(protection),
                "protection": .object(statement.json),
                "deviceID": data.deviceInformation?.deviceId.map(JSONValue.string),
                "authenticators": .array(authenticators.map(\.json)),
            ]))
    }

    private func describe(_ authenticator: any Authenticator) -> (text: String, json: JSONValue) {
        let users = authenticator.registration.registeredAccounts.map(\.username)
        let text = users.isEmpty ? "not registered" : "registered for " + users.joined(separator: ", ")
        let json = JSONObject([
            "aaid": .string(authenticator.aaid),
            "isSupported": .bool(authenticator.isSupportedByHardware && authenticator.isSupportedByOs),
            "users": .array(users.map(JSONValue.string)),
        ])
        return ("\(authenticator.aaid): \(text)", .object(json))
    }
}
