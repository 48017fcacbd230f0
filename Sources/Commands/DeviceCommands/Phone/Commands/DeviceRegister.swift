import ArgumentParser
import CommandSupport
import MobileAuthentication
import Octets
import StrictJSON

struct DeviceRegister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register a key behind a PIN, a password, a finger or the passcode with the server.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var exchange: ExchangeOptions
    @OptionGroup var authenticator: AuthenticatorOptions
    @OptionGroup var secret: SecretOptions
    @OptionGroup var passcode: PasscodeOptions
    @OptionGroup var authorization: AuthorizationOptions

    @Flag(help: "Let the passcode of the device stand in for finger or face; kept with the key.")
    var allowPasscodeFallback = false

    @Flag(help: "Keep the key usable when another finger or face is enrolled; kept with the key.")
    var keepOnNewBiometrics = false

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder, exchange.network, PhoneVerification(passcode), perform)
        }
    }

    private func perform(on device: Phone) async throws -> CommandReport.Outcome {
        let right = try await AuthorizationRight(try authorization.evidence(), user: exchange.user, on: device)
        var parameters = RegistrationParameters(authorization: right.provider)
        parameters.allowsPasscodeFallback = allowPasscodeFallback
        parameters.keepsOnNewBiometrics = keepOnNewBiometrics
        let user = await PhoneUser(
            wanting: authenticator.authenticator, secretFile: secret.secretFile, passcodeFile: passcode.passcodeFile)
        try await user.explaining { try await device.register(exchange.user, parameters, as: user) }
        return CommandReport.Outcome(
            text: "\(exchange.user) is registered on this phone.",
            result: JSONObject(["username": .string(exchange.user), "server": .string(device.server.absoluteString)]))
    }
}

struct DeviceDeregister: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deregister",
        abstract: "Remove the user's keys of this phone from the server and from the phone.",
        discussion: """
            Without --token-file or --jws the user signs in first, with the authenticator named: a password alone may not \
            deregister. With --jws the phone signs the request itself and asks no user: use it for a locked PIN or a lost \
            key, also after delete-local.
            """)

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var exchange: ExchangeOptions
    @OptionGroup var secret: SecretOptions
    @OptionGroup var passcode: PasscodeOptions
    @OptionGroup var authorization: AuthorizationOptions
    @OptionGroup var selection: KeySelectionOptions

    @Flag(help: "Sign the request with the key that the phone has for the server.")
    var jws = false

    func validate() throws {
        guard !jws || (authorization.passwordFile == nil && authorization.tokenFile == nil) else {
            throw ValidationError("Give only one of --jws, --password-file and --token-file.")
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
                "username": .string(exchange.user), "removedKeys": .integer(removed),
                "serverTold": .bool(removed > 0 || isTold), "owedDeletionTold": .bool(isTold),
            ]))
    }

    static func text(_ user: String, _ removed: Int, _ isTold: Bool) -> TerminalText {
        return switch (removed, isTold) {
        case (0, true):
            "The server has been told that the keys of \(user) were deleted on this phone; it has removed them."
        case (0, false): "\(user) has no keys on this phone, so nothing was removed."
        default: "\(user) is no longer registered on this phone."
        }
    }
}

struct DeviceDeleteLocal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-local",
        abstract: "Forget a user's keys on this phone; the server is not asked and keeps its records.",
        discussion: """
            The server is told at the next contact: by signet device sync, by deregister --jws, or by the next registration \
            of the user. Until then it counts the old key. deregister takes keys off both sides at once. A damaged \
            registration names no user: signet device list counts them, and --damaged gives them up.
            """)

    @OptionGroup var phone: PhoneOptions

    @Option(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var user: String?

    @Flag(help: "The registrations whose records are damaged.")
    var damaged = false

    @OptionGroup var selection: KeySelectionOptions

    func validate() throws {
        guard (user == nil) == damaged, !damaged || selection.isEverything else {
            throw ValidationError("Give either --user or --damaged.")
        }
    }

    func run() async throws {
        try await phone.report {
            try await Phone.use(phone.folder) { device in
                if let user { try await delete(user, on: device) } else { try await deleteDamaged(on: device) }
            }
        }
    }

    private func deleteDamaged(on device: Phone) async throws -> CommandReport.Outcome {
        let count = try await device.device.deleteDamaged()
        return CommandReport.Outcome(
            text: count == 0
                ? "No registration on this phone is damaged."
                : "Damaged registrations given up: \(count). Their users can register again; until then their servers have "
                    + "keys that no phone can use.",
            result: JSONObject(["damaged": .integer(count)]))
    }

    private func delete(_ user: String, on device: Phone) async throws -> CommandReport.Outcome {
        try await device.device.deleteLocally(user, aaid: selection.aaid(on: device.device))
        let keys = selection.isEverything ? "no keys" : "no such key"
        return CommandReport.Outcome(
            text:
                "This phone has \(keys) of \(user) any more. The server still has its records; signet device sync, or "
                + "the next registration of \(user), tells it.",
            result: JSONObject(["username": .string(user)]))
    }
}

struct AuthorizationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file with the user's password, for servers with a password login.", valueName: "FILE"))
    var passwordFile: String?

    @Option(help: ArgumentHelp("A file with a token (JWT) of the user.", valueName: "FILE"))
    var tokenFile: String?

    func validate() throws {
        guard passwordFile == nil || tokenFile == nil else {
            throw ValidationError("Give --password-file or --token-file, not both.")
        }
    }
}

extension AuthorizationOptions {
    func evidence() throws(CommandFailure) -> AuthorizationRight.Evidence? {
        if let passwordFile { return .password(SecretBytes(copying: try SecretFile(path: passwordFile).octets())) }
        if let tokenFile { return .token(Sensitive(try SecretFile(path: tokenFile).text())) }
        return nil
    }
}

/// Options that select the keys of a user to remove.
struct KeySelectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only the key of this authenticator.", valueName: "KIND"))
    var authenticator: AuthenticatorChoice?

    @Option(help: ArgumentHelp("Only the key of the authenticator with this model number.", valueName: "AAID"))
    var aaid: String?

    func validate() throws {
        guard authenticator == nil || aaid == nil else {
            throw ValidationError("Give --authenticator or --aaid, not both.")
        }
    }

    var isEverything: Bool { authenticator == nil && aaid == nil }

    /// AAID of the selected keys; nil for all.
    func aaid(on device: VirtualDevice) -> String? { aaid ?? authenticator.flatMap { device.aaid(of: $0.kind) } }
}
