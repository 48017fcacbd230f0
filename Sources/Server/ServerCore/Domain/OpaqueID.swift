package import Crypto
import Octets

/// A random identifier of 16 bytes that says nothing about what it names, but perhaps its time.
///
/// `Subject` keeps the identifiers of different things apart: a ``UserID`` is never taken for a ``CeremonyID``.
package struct OpaqueID<Subject>: Hashable, Sendable, CustomStringConvertible {
    package static var byteCount: Int { 16 }

    package let octets: [UInt8]

    /// Takes exactly 16 bytes; nil for another number.
    package init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.byteCount else { return nil }
        self.octets = Array(octets)
    }

    /// Reads the unpadded base64url text; nil for anything else.
    package init?(text: String) {
        guard let octets = try? Base64URL.decode(text) else { return nil }
        self.init(octets)
    }

    package init(from random: some RandomSource) {
        octets = random.bytes(count: Self.byteCount)
        precondition(octets.count == Self.byteCount, "a random source returns as many bytes as it is asked for")
    }

    /// Takes the first octets of a hash.
    package init(hash: SHA256Digest) { octets = Array(hash.prefix(Self.byteCount)) }

    /// Identifier of a text that another server has given, always the same one.
    package init(hashing text: String) { self.init(hash: SHA256.hash(data: Array(text.utf8))) }

    /// Draws a new identifier that sorts after all earlier ones, by octets: six octets of milliseconds, ten drawn ones.
    ///
    /// For what is stored in the order in which it comes, so that its neighbours in an index are new as well. It tells the
    /// time at which it was drawn.
    package init(at time: Timestamp, from random: some RandomSource) {
        let drawn = random.bytes(count: Self.byteCount - Self.timeByteCount)
        octets = time.bigEndianOctets(count: Self.timeByteCount) + drawn
        precondition(octets.count == Self.byteCount, "a random source returns as many bytes as it is asked for")
    }

    private static var timeByteCount: Int { 6 }

    /// The unpadded base64url text, 22 characters.
    package var text: String { Base64URL.encode(octets) }

    package var description: String { text }
}

/// Names a user for ever, also when the user's names change.
package typealias UserID = OpaqueID<User>
/// Names one ceremony: one request with the answer to it.
package typealias CeremonyID = OpaqueID<CeremonyState>
/// Names one act of registering a credential; the same KeyID registered again has another one.
package typealias RegistrationID = OpaqueID<RegisteredCredential>
