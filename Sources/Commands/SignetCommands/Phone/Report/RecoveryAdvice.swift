import MobileAuthentication

/// What a person can do about a key that works no more, or about a key that they are not allowed to add.
///
/// docs/recovery.md has the whole stories; RecoveryStoryTests plays them.
enum RecoveryAdvice: Sendable, Hashable {
    /// The key is locked, gone, or unknown to the server.
    case registerAgain
    /// The user has a key already, and what was shown does not allow a further one.
    case addToRegisteredUser
    /// The user has no key on this phone.
    case registerHere

    /// What helps about an error of the SDK; nil where its own words say it.
    init?(for error: any MobileAuthenticationClientError) {
        let status = (error.cause as? ServerStatus)?.code
        switch (error, error.fidoErrorCode) {
        case (PinChangeError.PinLocked, _), (PasswordChangeError.PasswordLocked, _): self = .registerAgain
        case (_, .userLockout), (_, .keyDisappearedPermanently): self = .registerAgain
        case (is AuthenticationError, _) where status == 1481: self = .registerAgain
        case (is OperationError, .protocolError) where status == 1401: self = .addToRegisteredUser
        case (_, .noSuitableAuthenticator) where error.cause is UnregisteredUserError: self = .registerHere
        default: return nil
        }
    }

    /// The advice in commands.
    var commandText: String {
        switch self {
        case .registerAgain:
            "What helps: signet device deregister --user NAME --jws takes the keys off phone and server without a PIN; "
                + "then register again, with the password at the server or with an invitation that you scan."
        case .addToRegisteredUser:
            "A user who has a key adds another one with the token of a sign-in (authenticate --token-out FILE with the "
                + "first key, register --token-file FILE here) or with an invitation that this phone scans (signet-server "
                + "dispatch register --user NAME). When the first key is locked or lost, docs/recovery.md has the ways."
        case .registerHere: "signet device list names who is registered; register or scan adds a user."
        }
    }

    /// The advice in the words of the interactive phone.
    var consoleText: String {
        switch self {
        case .registerAgain:
            "What helps: deregister takes the keys off phone and server without a PIN; then register again, with the "
                + "password at the server, or answer an invitation."
        case .addToRegisteredUser:
            "A user who has a key adds another one by signing in with the first, or by an invitation, which answer takes."
        case .registerHere: "accounts names who is registered; register or answer adds a user."
        }
    }
}
