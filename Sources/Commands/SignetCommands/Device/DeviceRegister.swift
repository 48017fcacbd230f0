import ArgumentParser
import MobileAuthentication
import StrictJSON

/// `signet device register`: makes a key for a user and registers it with the server.
struct DeviceRegister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Makes a key under a new PIN and registers it with the server.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var exchange: ExchangeOptions
    @OptionGroup var pin: PINOptions
    @OptionGroup var authorization: AuthorizationOptions

    func run() async throws {
        try await phone.report { try await Phone.use(phone.folder, exchange, perform) }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let right = try await AuthorizationRight(authorization, user: exchange.user, on: device)
        let user = await PhoneUser(pinFile: pin.pinFile)
        try await user.explaining {
            try await device.client.operations.registration
                .username(exchange.user)
                .deviceInformation(DeviceInformation(name: device.settings.name))
                .authorizationProvider(right.provider)
                .authenticatorSelector(user)
                .pinEnroller(user)
                .perform()
        }
        return CommandReport.Outcome(
            text: "\(exchange.user) is registered on this phone.",
            result: JSONObject(["username": .string(exchange.user), "server": .string(device.server.absoluteString)]))
    }
}
