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

    /// The keys of a user who has none, one on each of `models`.
    func keys(of user: UserID, on models: [AAID]) -> [CredentialID] {
        models.enumerated().compactMap { number, aaid in
            KeyID(derive(number == 0 ? "key" : "key \(number)", user.octets)).map {
                CredentialID(aaid: aaid, keyID: $0)
            }
        }
    }

    /// The number by which a user draws from a distribution.
    func seed(of user: UserID) -> UInt64 {
        derive("profile", user.octets).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number below `count` that belongs to a user.
    func choice(of user: UserID, below count: Int) -> Int { Int(derive("model", user.octets)[0]) % max(count, 1) }

    private func derive(_ label: String, _ octets: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("signet decoy \(label) ".utf8) + octets, using: secret))
    }
}
