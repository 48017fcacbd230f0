import Crypto
import UAF

/// Invents the same user again and again for a name that nobody has.
///
/// Who asks for an unknown user gets a request that looks like any other: an identity and a key derived from the name
/// with a secret that is never rotated. Nobody holds the key, so the answer to it is refused like any wrong answer.
struct Decoy {
    let secret: SymmetricKey

    /// The identity of the user who does not exist.
    func userID(named name: UserName) -> UserID {
        guard let id = UserID(derive("user", Array(name.text.utf8)).prefix(UserID.byteCount)) else {
            preconditionFailure("HMAC-SHA-256 yields more than 16 bytes")
        }
        return id
    }

    /// The key of a user who has none, on one of `models`; nil when there are none.
    func key(of user: UserID, models: [AAID]) -> CredentialID? {
        let choice = derive("model", user.octets)
        guard !models.isEmpty, let keyID = KeyID(derive("key", user.octets)) else { return nil }
        return CredentialID(aaid: models[Int(choice[0]) % models.count], keyID: keyID)
    }

    private func derive(_ label: String, _ octets: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("signet decoy \(label) ".utf8) + octets, using: secret))
    }
}
