import Crypto
package import JOSE
import Octets
package import ServerCore

/// Proof that a browser has to show beside the cookie of its session.
package enum SessionBinding: Sendable, Hashable {
    /// Nothing: the browser has registered no key.
    case none
    /// A cookie that lives for minutes, and that only a holder of the key gets anew (Device Bound Session Credentials).
    case key(BoundKey)

    /// Whether the cookies of a request show it.
    package func isShown(by cookies: BrowserCookies, at now: Timestamp) -> Bool {
        switch self {
        case .none: true
        case .key(let key): cookies.bound.map { key.takes($0.reveal(), as: .cookie, at: now) } ?? false
        }
    }
}

/// Public key of a browser for one session, and the secret of the server from which its short-lived values are made.
package struct BoundKey: Sendable, Hashable {
    /// Kind of a value that holds for a while.
    enum Purpose: String {
        case cookie, challenge

        var lifetime: Duration { self == .cookie ? .seconds(300) : .seconds(60) }
    }

    private static let secretLength = 32

    /// As it is stored: the secret, then the key as JSON (JWK).
    package let octets: [UInt8]

    /// Keeps the key alone, without what else its JWK has said.
    package init(_ key: JWK, from random: any RandomSource) throws(JOSEError) {
        octets = random.bytes(count: Self.secretLength) + (try JWK(verifying: key.material).json)
    }

    package init?(stored octets: [UInt8]) {
        guard octets.count > Self.secretLength else { return nil }
        self.octets = octets
    }

    var key: JWK {
        get throws(JOSEError) { try JWK(json: Array(octets.dropFirst(Self.secretLength))) }
    }

    /// A new value: its end in milliseconds since 1970, a dot, and an HMAC of both.
    func value(_ purpose: Purpose, at now: Timestamp) -> (text: String, end: Timestamp) {
        let end = now + purpose.lifetime
        return (text(purpose, end), end)
    }

    /// Whether a value was made here for this purpose and is not over; compared in constant time.
    func takes(_ text: String, as purpose: Purpose, at now: Timestamp) -> Bool {
        guard let end = Int64(text.prefix { $0 != "." }).map({ Timestamp(milliseconds: $0) }), now < end else {
            return false
        }
        do throws(ConstantTimeEquality.Difference) {
            try ConstantTimeEquality.require(Array(text.utf8), equals: Array(self.text(purpose, end).utf8))
            return true
        } catch {
            return false
        }
    }

    private func text(_ purpose: Purpose, _ end: Timestamp) -> String {
        let key = SymmetricKey(data: octets.prefix(Self.secretLength))
        let mark = HMAC<SHA256>.authenticationCode(
            for: Array("\(purpose.rawValue)\0\(end.milliseconds)".utf8), using: key)
        return "\(end.milliseconds).\(Base64URL.encode(Array(mark)))"
    }
}
