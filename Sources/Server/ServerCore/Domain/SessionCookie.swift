import Octets

/// The random value of a session cookie, on its way to the client.
package struct SessionCookie: Sendable {
    /// Random bytes in a value.
    package static let byteCount = 32

    /// What the client gets, unpadded base64url.
    package let value: String
    /// When the client may forget it; nil for a cookie that only ties an answer to its request.
    package let expiresAt: Timestamp?

    /// Draws a new value.
    package init(from random: some RandomSource, expiresAt: Timestamp?) {
        value = Base64URL.encode(random.bytes(count: Self.byteCount))
        self.expiresAt = expiresAt
    }

    /// What the server remembers instead of the value.
    package var hash: CookieHash { Self.hash(ofValue: value) }

    /// What the server remembers for a value that a client sent.
    package static func hash(ofValue value: String) -> CookieHash { CookieHash(of: value.utf8) }
}
