import ArgumentParser
import CommandSupport
import MobileAuthentication
import Octets

/// Options for the answer to an out-of-band operation.
struct AnswerOptions: ParsableArguments {
    @OptionGroup var network: NetworkOptions

    @Option(help: ArgumentHelp("The user who answers, when several users of this phone could.", valueName: "NAME"))
    var user: String?

    @OptionGroup var authenticator: AuthenticatorOptions
    @OptionGroup var secret: SecretOptions
    @OptionGroup var passcode: PasscodeOptions

    @Option(
        help: ArgumentHelp(
            "A file that holds the digits on the screen where the operation was begun; without it the terminal asks.",
            valueName: "FILE"))
    var digitsFile: String?

    @Flag(help: "Agree to the loss of registrations of this phone; without it the terminal asks, or the answer is no.")
    var agreeToDeregistration = false

    @Option(help: ArgumentHelp("Write the token that the server issues into this file.", valueName: "FILE"))
    var tokenOut: String?

    func answer(
        on folder: PhoneFolder, _ payload: (Phone) async throws -> OutOfBandPayload
    ) async throws -> CommandReport.Outcome {
        try await Phone.use(folder, network, PhoneVerification(passcode)) { phone in
            let person = await PhoneUser(
                wanting: authenticator.authenticator, secretFile: secret.secretFile,
                passcodeFile: passcode.passcodeFile,
                reply: OperationReply(
                    account: user, digits: try digitsFile.map { Sensitive(try SecretFile(path: $0).text()) },
                    agreesToDeregistration: agreeToDeregistration))
            return try await phone.answer(try await payload(phone), as: person, tokenFile: tokenOut).outcome
        }
    }
}
