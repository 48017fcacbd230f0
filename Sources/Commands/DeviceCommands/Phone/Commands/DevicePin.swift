import ArgumentParser
import CommandSupport
import MobileAuthentication
import StrictJSON
import UAFClient

struct DevicePin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Manage the PIN of a user on this phone.", subcommands: [DevicePinChange.self])
}

struct DevicePinChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Replace the PIN of a user; the server takes no part.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var change: ChangeOptions

    func run() async throws { try await phone.report { try await change.perform(.pin, on: phone.folder) } }
}

struct DevicePassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "Manage the password of a user's password authenticator on this phone.",
        subcommands: [DevicePasswordChange.self])
}

struct DevicePasswordChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Replace the password of a user's authenticator; the server takes no part.")

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var change: ChangeOptions

    func run() async throws { try await phone.report { try await change.perform(.password, on: phone.folder) } }
}

/// Options of a PIN or password change: the user, and the sources of the old and the new secret.
struct ChangeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var user: String

    @Option(
        name: [.customLong("secret-file"), .customLong("pin-file")],
        help: ArgumentHelp("A file that holds the current secret; without it the terminal asks.", valueName: "FILE"))
    var secretFile: String?

    @Option(
        name: [.customLong("new-secret-file"), .customLong("new-pin-file")],
        help: ArgumentHelp("A file that holds the new secret; without it the terminal asks.", valueName: "FILE"))
    var newSecretFile: String?

    func perform(_ kind: SecretKind, on folder: PhoneFolder) async throws -> CommandReport.Outcome {
        try await Phone.use(folder) { phone in
            let person = await PhoneUser(secretFile: secretFile, newSecretFile: newSecretFile)
            try await person.explaining { try await phone.change(kind, of: user, as: person) }
        }
        return CommandReport.Outcome(
            text: "\(user) has a new \(kind.noun) on this phone.",
            result: JSONObject(["username": .string(user)]))
    }
}
