import ArgumentParser
import MobileAuthentication
import StrictJSON

/// `signet device deregister`: takes a user's keys away from server and phone.
struct DeviceDeregister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deregister",
        abstract: "Removes the user's keys of this phone from the server and from the phone.",
        discussion: """
            Without --token-file the user signs in first, with the authenticator named: a password alone may not deregister.
            """)

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var exchange: ExchangeOptions
    @OptionGroup var secret: SecretOptions
    @OptionGroup var passcode: PasscodeOptions
    @OptionGroup var authorization: AuthorizationOptions
    @OptionGroup var selection: KeySelectionOptions

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, exchange.network, PhoneVerification(passcode), perform)
        }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let user = await PhoneUser(
            wanting: selection.authenticator, secretFile: secret.secretFile, passcodeFile: passcode.passcodeFile)
        let evidence = try authorization.evidence()
        try await user.explaining {
            try await device.deregister(exchange.user, selection.aaid(on: device.device), evidence, as: user)
        }
        return CommandReport.Outcome(
            text: "\(exchange.user) is no longer registered on this phone.",
            result: JSONObject(["username": .string(exchange.user)]))
    }
}
