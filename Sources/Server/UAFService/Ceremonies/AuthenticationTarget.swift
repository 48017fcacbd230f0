import ServerCore
import UAF

/// Addressee of an authentication request.
enum AuthenticationTarget: Hashable {
    /// Any holder of a registered key.
    case anyone
    /// One user with all credentials of the account; a decoy has none.
    case user(UserID, [RegisteredCredential])

    var userID: UserID? {
        guard case .user(let id, _) = self else { return nil }
        return id
    }
}
