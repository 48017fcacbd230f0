import ArgumentParser
import CommandSupport
import MobileAuthentication
import StrictJSON

struct DeviceAuthenticate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticate", abstract: "Sign a user in with an authenticator of this phone.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var exchange: ExchangeOptions
    @OptionGroup var authenticator: AuthenticatorOptions
    @OptionGroup var secret: SecretOptions
    @OptionGroup var passcode: PasscodeOptions

    @Option(help: ArgumentHelp("Write the token that the server issues into this file.", valueName: "FILE"))
    var tokenOut: String?

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, exchange.network, PhoneVerification(passcode), perform)
        }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let user = await PhoneUser(
            wanting: authenticator.authenticator, secretFile: secret.secretFile, passcodeFile: passcode.passcodeFile)
        let session = try await user.explaining { try await device.authenticate(exchange.user, as: user) }
        let kind = try session.keep(in: tokenOut)
        return CommandReport.Outcome(
            text: "\(exchange.user) is signed in (\(kind)).",
            result: JSONObject(["username": .string(exchange.user), "session": .string(kind)]))
    }
}
