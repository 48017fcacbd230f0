import Octets
import ServerCore
import UAF

/// Browser in which a user has logged in with the password: its tries count for themselves, and no neighbour behind the
/// same address stops them.
///
/// The value of its cookie is a random number with a proof for this name: nothing of it is stored.
struct KnownBrowser {
    /// Time for which a browser keeps the cookie.
    static let lifetime: Duration = .seconds(90 * 86_400)
    private static let nonceByteCount = 16

    private let nonce: [UInt8]
    private let proof: [UInt8]

    /// A browser that is not known yet.
    init(of name: UserName, _ decoy: Decoy, _ random: any RandomSource) {
        nonce = random.bytes(count: Self.nonceByteCount)
        proof = decoy.proof(of: name, inBrowser: nonce)
    }

    /// Reads a cookie; nil for one that was not made for this name.
    init?(_ cookie: Sensitive<String>?, of name: UserName, _ decoy: Decoy) {
        guard let octets = try? cookie.map({ try Base64URL.decode($0.reveal()) }), octets.count > Self.nonceByteCount
        else { return nil }
        nonce = Array(octets.prefix(Self.nonceByteCount))
        proof = decoy.proof(of: name, inBrowser: nonce)
        let shown = Array(octets.dropFirst(Self.nonceByteCount))
        guard (try? ConstantTimeEquality.require(shown, equals: proof)) != nil else { return nil }
    }

    var cookie: Sensitive<String> { Sensitive(Base64URL.encode(nonce + proof)) }

    /// The key under which its tries count, in place of an address.
    var source: String { "browser " + Base64URL.encode(nonce) }
}
