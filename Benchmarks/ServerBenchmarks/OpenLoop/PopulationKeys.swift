import Crypto
import TestSupport

/// Keys of the users of a population, which the load generator signs with.
///
/// Users share a few hundred key pairs, because a million would take minutes to make; each has a KeyID of its own, by
/// which the server finds the key. Counters stay 0, as with all authenticators of the product: the same user may sign
/// in twice at the same time.
struct PopulationKeys: Sendable {
    private static let pairCount = 256

    private let authenticators: [SyntheticAuthenticator]
    private let publicKeys: [[UInt8]]

    /// Makes new key pairs.
    init() throws {
        authenticators = try (0..<Self.pairCount).map { _ in try SyntheticAuthenticator() }
        publicKeys = try authenticators.map { try $0.key.publicKey($0.format) }
    }

    /// Authenticator of a user.
    func authenticator(of user: Int) -> SyntheticAuthenticator {
        var authenticator = authenticators[user % Self.pairCount]
        authenticator.keyID = Self.keyID(of: user)
        return authenticator
    }

    /// Public key of a user, in the format of the authenticator.
    func publicKey(of user: Int) -> [UInt8] { publicKeys[user % Self.pairCount] }

    /// KeyID of a user: random to the database, as KeyIDs are.
    static func keyID(of user: Int) -> [UInt8] { Array(SHA256.hash(data: Array("key \(user)".utf8))) }
}
