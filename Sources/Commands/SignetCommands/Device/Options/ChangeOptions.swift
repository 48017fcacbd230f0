import ArgumentParser
import MobileAuthentication
import StrictJSON

/// Whose PIN or password is replaced, and where the old and the new one come from.
struct ChangeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The user's name.", valueName: "NAME"))
    var user: String

    @Option(
        name: [.customLong("secret-file"), .customLong("pin-file")],
        help: ArgumentHelp("A file that holds the old one; without it the terminal asks.", valueName: "FILE"))
    var secretFile: String?

    @Option(
        name: [.customLong("new-secret-file"), .customLong("new-pin-file")],
        help: ArgumentHelp("A file that holds the new one; without it the terminal asks.", valueName: "FILE"))
    var newSecretFile: String?

    /// Replaces the secret.
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
