import Crypto
package import Octets

/// Token in the hidden field `form_token`: an HMAC-SHA-256 over the session, keyed by the cookie of the browser.
///
/// The cookie has 32 random octets that no page can read (`HttpOnly`), so that only the server makes the token, in every
/// process alike, and a page of another site cannot.
package struct FormToken: Sendable {
    package static let length = 43

    private let octets: [UInt8]

    /// The token of a browser for a session; nil without a cookie.
    package init?(cookie: Sensitive<String>?, session: String) {
        guard let cookie = cookie?.reveal(), !cookie.isEmpty else { return nil }
        let key = SymmetricKey(data: Array(cookie.utf8))
        octets = Array(HMAC<SHA256>.authenticationCode(for: Array("signet-form\u{0}\(session)".utf8), using: key))
    }

    /// The token as it stands in a form: base64url.
    package var text: String { Base64URL.encode(octets) }

    /// Whether a form carries this token; compared in constant time.
    package func isCarried(by text: String?) -> Bool {
        guard let text, text.utf8.count == Self.length, let presented = try? Base64URL.decode(text) else {
            return false
        }
        do throws(ConstantTimeEquality.Difference) {
            try ConstantTimeEquality.require(presented, equals: octets)
            return true
        } catch {
            return false
        }
    }
}
