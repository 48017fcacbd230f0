import Crypto
import Synchronization
package import UAF

/// Invents the same user again and again for an unknown name.
///
/// A request for an unknown user looks like any other: an identity and a key derived from the name with a secret that
/// is never rotated. The private half exists nowhere, so the response to it is refused like any wrong response.
package struct Decoy: Sendable {
    /// HMAC with the key laid out, before any message.
    private let keyed: HMAC<SHA256>

    init(secret: SymmetricKey) {
        keyed = HMAC(key: secret)
    }

    package func userID(named name: UserName) -> UserID {
        guard let id = UserID(derive("user", name.text.utf8).prefix(UserID.byteCount)) else {
            preconditionFailure("HMAC-SHA-256 yields more than 16 bytes")
        }
        return id
    }

    /// The keys of a user who has none, one on each of `models`.
    package func keys(of user: UserID, on models: [AAID]) -> [CredentialID] {
        models.enumerated().compactMap { number, aaid in
            KeyID(derive(number == 0 ? "key" : "key \(number)", user.octets)).map {
                CredentialID(aaid: aaid, keyID: $0)
            }
        }
    }

    /// The number by which a user draws from a distribution.
    package func seed(of user: UserID) -> UInt64 {
        derive("profile", user.octets).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package func choice(of user: UserID, below count: Int) -> Int {
        Int(derive("model", user.octets)[0]) % max(count, 1)
    }

    /// Proof that a user has logged in in the browser that keeps `nonce`, which always has the same length.
    package func proof(of name: UserName, inBrowser nonce: [UInt8]) -> [UInt8] {
        derive("browser", nonce + name.text.utf8)
    }

    private func derive(_ label: String, _ octets: some Collection<UInt8>) -> [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(32 + octets.count)
        for part in ["signet decoy ", label, " "] { message.append(contentsOf: part.utf8) }
        message.append(contentsOf: octets)
        var code = keyed
        code.update(data: message)
        return code.finalize().octets
    }
}
