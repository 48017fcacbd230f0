import ArgumentParser
import MobileAuthentication
import StrictJSON
import VirtualDevice

/// `signet device register`: makes a key for a user and registers it with the server.
struct DeviceRegister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Makes a key behind a PIN, a password, a finger or the passcode, and registers it with the server.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var exchange: ExchangeOptions
    @OptionGroup var authenticator: AuthenticatorOptions
    @OptionGroup var secret: SecretOptions
    @OptionGroup var passcode: PasscodeOptions
    @OptionGroup var authorization: AuthorizationOptions

    @Flag(help: "Lets the passcode of the device stand in for finger or face; kept with the key.")
    var allowPasscodeFallback = false

    @Flag(help: "Keeps the key usable when another finger or face is enrolled; kept with the key.")
    var keepOnNewBiometrics = false

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, exchange.network, PhoneVerification(passcode), perform)
        }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let right = try await AuthorizationRight(try authorization.evidence(), user: exchange.user, on: device)
        var order = RegistrationOrder(authorization: right.provider)
        order.allowsPasscodeFallback = allowPasscodeFallback
        order.keepsOnNewBiometrics = keepOnNewBiometrics
        let user = await PhoneUser(
            wanting: authenticator.authenticator, secretFile: secret.secretFile, passcodeFile: passcode.passcodeFile)
        try await user.explaining { try await device.register(exchange.user, order, as: user) }
        return CommandReport.Outcome(
            text: "\(exchange.user) is registered on this phone.",
            result: JSONObject(["username": .string(exchange.user), "server": .string(device.server.absoluteString)]))
    }
}
