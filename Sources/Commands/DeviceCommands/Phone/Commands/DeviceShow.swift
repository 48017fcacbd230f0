import ArgumentParser
import CommandSupport
import HardwareKeys
import MobileAuthentication
import StrictJSON

struct DeviceShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the phone's settings, authenticators and what protects its keys.")

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
        let lines = TerminalText(lines: facts.map { "\($0): \($1)" } + statement.lines)
        return CommandReport.Outcome(
            text: TerminalText([lines, AuthenticatorTable(authenticators).text]),
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

extension ProtectionStatement {
    var lines: [String] {
        [
            "wrong PINs counted by: \(attemptCounting.rawValue)", "user's presence checked by: \(userGate.rawValue)",
            "older copies of files noticed by: \(rollbackDetection.rawValue)", text,
        ]
    }

    var json: JSONObject {
        JSONObject([
            "isSecureHardware": .bool(provider.isSecureHardware),
            "attemptCounting": .string(attemptCounting.rawValue), "userGate": .string(userGate.rawValue),
            "rollbackDetection": .string(rollbackDetection.rawValue), "text": .string(text),
        ])
    }
}

struct DeviceAuthenticators: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticators",
        abstract: "Show every authenticator of this phone: what supports it, what is enrolled, whose keys it holds.",
        discussion: "A key that is lost for good, for example after a change of fingers, is shown as unusable.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, nil, PhoneVerification(passcode)) { phone in
                let authenticators = phone.device.authenticators
                let notes = phone.verification.complaints
                return CommandReport.Outcome(
                    text: TerminalText([AuthenticatorTable(authenticators).text] + notes.map { "\($0)" }),
                    result: JSONObject([
                        "authenticators": .array(authenticators.map { .object($0.json) }),
                        "notes": .array(notes.map(JSONValue.string)),
                    ]))
            }
        }
    }
}

struct DeviceList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show who is registered on this phone, with which authenticators.")

    @OptionGroup var phone: PhoneOptions

    func run() async throws {
        try await phone.report { try await Phone.use(phone.folder) { try await perform(on: $0) } }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let data = device.client.localData
        let rows = data.accounts.map { account in
            (account, data.authenticators.filter { $0.registration.isRegistered(account.username) }.map(\.aaid))
        }
        let lines: [TerminalText] = rows.map { account, aaids in
            "\(account.username)  \(account.server.baseUrl.absoluteString)  \(aaids.joined(separator: " "))"
        }
        let unanswered = device.device.unansweredRegistrations
        let damaged: [TerminalText] =
            data.damagedRegistrationCount == 0
            ? []
            : [
                """
                Damaged registrations: \(data.damagedRegistrationCount). Put an undamaged copy of the folder back, or give \
                them up with signet device delete-local --damaged.
                """
            ]
        return CommandReport.Outcome(
            text: TerminalText(
                (lines.isEmpty ? ["No user is registered on this phone."] : lines) + unanswered.map(\.unansweredLine)
                    + damaged),
            result: JSONObject([
                "accounts": .array(
                    rows.map { account, aaids in
                        .object(
                            JSONObject([
                                "username": .string(account.username),
                                "server": .string(account.server.baseUrl.absoluteString),
                                "authenticators": .array(aaids.map(JSONValue.string)),
                            ]))
                    }),
                "unanswered": .array(unanswered.map { .object($0.unansweredJSON) }),
                "damaged": .integer(data.damagedRegistrationCount),
            ]))
    }
}

extension Account {
    /// Line about a registration of the account that its server has not answered.
    var unansweredLine: TerminalText {
        "\(username)  \(server.baseUrl.absoluteString)  the server has not answered the registration"
    }

    var unansweredJSON: JSONObject {
        ["username": .string(username), "server": .string(server.baseUrl.absoluteString)]
    }
}
