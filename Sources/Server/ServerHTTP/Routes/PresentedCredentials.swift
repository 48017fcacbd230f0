import HTTPTypes
import Hummingbird
import Octets

/// Credentials that came with a request; nothing of them is verified yet.
struct PresentedCredentials: Sendable {
    /// The token of `Authorization: Bearer`; empty, which no token is, when the header says something else.
    let bearerToken: Sensitive<String>?
    /// The token of `Authorization: DPoP` (RFC 9449, 7.1); nil when the header says something else.
    let boundToken: Sensitive<String>?
    let sessionCookie: Sensitive<String>?

    init(of request: Request, cookieName: String) {
        bearerToken = request.headers[.authorization].map { Sensitive(Self.token("bearer", in: $0) ?? "") }
        boundToken = request.headers[.authorization].flatMap { Self.token("dpop", in: $0) }.map { Sensitive($0) }
        sessionCookie = Self.cookie(cookieName, of: request)
    }

    static func cookie(_ name: String, of request: Request) -> Sensitive<String>? {
        request.headers[values: .cookie].lazy.compactMap { value(of: name, in: $0) }.first.map(Sensitive.init)
    }

    /// RFC 6750, 2.1.
    private static func token(_ scheme: String, in field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased().hasSameOctets(as: scheme) else { return nil }
        return String(parts[1])
    }

    /// RFC 6265, 4.2.1.
    private static func value(of name: String, in field: String) -> String? {
        for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
            let trimmed = pair.drop { $0 == UInt8(ascii: " ") }
            let halves = trimmed.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, halves[0].elementsEqual(name.utf8) else { continue }
            return String(halves[1])
        }
        return nil
    }
}
