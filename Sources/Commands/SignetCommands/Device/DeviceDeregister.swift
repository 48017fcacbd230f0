import ArgumentParser
import MobileAuthentication
import StrictJSON

/// `signet device deregister`: takes a user's keys away from server and phone.
struct DeviceDeregister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deregister",
        abstract: "Removes the user's keys of this phone from the server and from the phone.",
        discussion: "Without --token-file the user signs in first: a password alone may not deregister.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var exchange: ExchangeOptions
    @OptionGroup var pin: PINOptions
    @OptionGroup var authorization: AuthorizationOptions

    @Option(help: ArgumentHelp("Only the key of this authenticator.", valueName: "AAID"))
    var aaid: String?

    func run() async throws {
        try await phone.report { try await Phone.use(phone.folder, exchange, perform) }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let operation = device.client.operations.deregistration.username(exchange.user)
        if let aaid { operation.aaid(aaid) }
        operation.authorizationProvider(try await provider(on: device))
        try await operation.perform()
        return CommandReport.Outcome(
            text: "\(exchange.user) is no longer registered on this phone.",
            result: JSONObject(["username": .string(exchange.user)]))
    }

    /// What was given, else what a fresh authentication gives.
    private func provider(on device: Phone) async throws -> any AuthorizationProvider {
        let right = try await AuthorizationRight(authorization, user: exchange.user, on: device)
        guard right.isEmpty else { return right.provider }
        let session = try await device.authenticate(exchange.user, as: await PhoneUser(pinFile: pin.pinFile))
        return session.provider ?? right.provider
    }
}
