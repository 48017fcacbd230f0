/// Remedy for a key that no longer works, or for a key that the user is not allowed to add.
///
/// docs/operate/recovery.md describes the complete procedures; RecoveryStoryTests runs them.
package enum RecoveryAdvice: Sendable, Hashable {
    /// The key is locked, lost, or unknown to the server.
    case registerAgain
    /// The user has a key already, and the credential given does not authorize a further one.
    case addToRegisteredUser
    /// The user has no key on this phone.
    case registerHere

    package var commandText: String {
        switch self {
        case .registerAgain:
            "What helps: signet device deregister --user NAME --jws takes the keys off phone and server without a PIN; "
                + "then register again, with the password at the server or with an invitation that you scan."
        case .addToRegisteredUser:
            "A user who has a key adds another one with the token of a sign-in (authenticate --token-out FILE with the "
                + "first key, register --token-file FILE here) or with an invitation that this phone scans (signet-server "
                + "dispatch register --user NAME). When the first key is locked or lost, see docs/operate/recovery.md."
        case .registerHere: "signet device list names who is registered; register or scan adds a user."
        }
    }

    /// The remedy in the words of the interactive phone.
    package var consoleText: String {
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
