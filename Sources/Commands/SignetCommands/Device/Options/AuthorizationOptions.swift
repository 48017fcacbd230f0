import ArgumentParser
import MobileAuthentication

/// What gives the right to register or deregister.
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
    /// What the files hold; nil when none was given.
    func evidence() throws(CommandFailure) -> AuthorizationRight.Evidence? {
        if let passwordFile { return .password(SecretBytes(copying: try SecretFile(path: passwordFile).octets())) }
        if let tokenFile { return .token(try SecretFile(path: tokenFile).text()) }
        return nil
    }
}
