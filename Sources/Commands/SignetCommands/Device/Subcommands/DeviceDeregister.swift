import ArgumentParser
import MobileAuthentication
import StrictJSON
import VirtualDevice

/// `signet device deregister`: takes a user's keys away from server and phone.
struct DeviceDeregister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deregister",
        abstract: "Removes the user's keys of this phone from the server and from the phone.",
        discussion: """
            Without --token-file or --jws the user signs in first, with the authenticator named: a password alone may not \
            deregister. With --jws the phone signs the request itself and nobody is asked: the way for a PIN that is locked \
            or a key that is lost, also after delete-local.
            """)

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var exchange: ExchangeOptions
    @OptionGroup var secret: SecretOptions
    @OptionGroup var passcode: PasscodeOptions
    @OptionGroup var authorization: AuthorizationOptions
    @OptionGroup var selection: KeySelectionOptions

    @Flag(help: "The phone signs the request with the key that it has for the server.")
    var jws = false

    func validate() throws {
        guard !jws || (authorization.passwordFile == nil && authorization.tokenFile == nil) else {
            throw ValidationError("Give --jws, --password-file or --token-file, one of them.")
        }
    }

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, exchange.network, PhoneVerification(passcode), perform)
        }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let user = await PhoneUser(
            wanting: selection.authenticator, secretFile: secret.secretFile, passcodeFile: passcode.passcodeFile)
        let evidence = jws ? .device : try authorization.evidence()
        let before = device.device.registrations.count { $0.username == exchange.user }
        let waits = device.device.owesDeletion(of: exchange.user)
        try await user.explaining {
            try await device.deregister(exchange.user, selection.aaid(on: device.device), evidence, as: user)
        }
        let removed = before - device.device.registrations.count { $0.username == exchange.user }
        let isTold = waits && !device.device.owesDeletion(of: exchange.user)
        return CommandReport.Outcome(
            text: Self.text(exchange.user, removed, isTold),
            result: JSONObject([
                "username": .string(exchange.user), "removedKeys": .integer(removed), "serverTold": .bool(isTold),
            ]))
    }

    private static func text(_ user: String, _ removed: Int, _ isTold: Bool) -> String {
        switch (removed, isTold) {
        case (0, true):
            "The server has been told that the keys of \(user) were deleted on this phone; it has removed them."
        case (0, false): "\(user) has no keys on this phone, so nothing was removed."
        default: "\(user) is no longer registered on this phone."
        }
    }
}
