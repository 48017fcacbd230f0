import Octets
import UAF

/// Address to which a browser is sent back with an answer (RFC 6749, 3.1.2), registered and compared octet by octet.
///
/// `https` with any host, `http` with a loopback address or `localhost`, or the private scheme of an application, which is
/// a domain name in reverse order such as `com.example.app:/back` (RFC 8252, 7.1). It is ASCII of 8 to 2,048 octets without
/// fragment, user information, backslash, white space or control characters.
package struct RedirectAddress: Sendable, Hashable, CustomStringConvertible {
    package static let byteLimit = 2_048
    /// Rule of addresses, in words.
    package static let rule =
        "an https address, http on this machine, or an application's own scheme such as com.example.app:/back, without user "
        + "and fragment"
    /// Rule of the origins of pages, in words.
    package static let originRule = "an https origin without path, or http on this machine"

    /// The address as it was registered, or as a request has named it.
    package let text: String
    /// Whether an application takes the address by its scheme; only a client without a proof may have one.
    package let isPrivate: Bool

    package init?(_ text: String) {
        guard (8...Self.byteLimit).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        if let authority = Self.authority(of: text) {
            guard !authority.utf8.isEmpty, text.utf8.starts(with: "https://".utf8) || Self.isLoopback(authority) else {
                return nil
            }
            isPrivate = false
        } else {
            guard Self.privateScheme(of: text) != nil else { return nil }
            isPrivate = true
        }
        self.text = text
    }

    package var description: String { text }

    /// Origin of the address (RFC 6454, 4): scheme, host and port as written; of a private scheme only the scheme.
    package var origin: String {
        if let scheme = Self.privateScheme(of: text) { return scheme + ":" }
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/").split(separator: "?").first.map(String.init) ?? text
    }

    private static func isAllowed(_ octet: UInt8) -> Bool {
        guard (0x21...0x7E).contains(octet) else { return false }
        return octet != UInt8(ascii: "#") && octet != UInt8(ascii: "\\") && octet != UInt8(ascii: "\"")
            && octet != UInt8(ascii: "<") && octet != UInt8(ascii: ">")
    }

    /// Host and port; nil for another scheme or with user information.
    private static func authority(of text: String) -> String? {
        for scheme in ["https://", "http://"] where text.utf8.starts(with: scheme.utf8) {
            let rest = text.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            return authority.contains("@") ? nil : String(authority)
        }
        return nil
    }

    /// Scheme of an application before `:/`; nil for one that is no domain name in reverse order.
    private static func privateScheme(of text: String) -> String? {
        let scheme = text.prefix { $0 != ":" }
        guard text.dropFirst(scheme.count).utf8.starts(with: ":/".utf8), scheme.utf8.contains(UInt8(ascii: ".")),
            scheme.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ isLabel($0) })
        else { return nil }
        return String(scheme)
    }

    /// Whether a part of a scheme begins with a letter and has letters, digits and hyphens only (RFC 3986, 3.1).
    private static func isLabel(_ label: Substring) -> Bool {
        guard let first = label.utf8.first, isLetter(first) else { return false }
        return label.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetter(_ octet: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet | 0x20)
    }

    private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }

    private static func isLoopback(_ authority: String) -> Bool {
        ["127.0.0.1", "[::1]", "localhost"].contains { host in
            authority.utf8.starts(with: host.utf8)
                && (authority.utf8.count == host.utf8.count
                    || authority.dropFirst(host.utf8.count).utf8.first == UInt8(ascii: ":"))
        }
    }
}

extension RedirectAddress {
    /// This address as a request names it; nil when the request names another one.
    ///
    /// They are the same octet by octet, but that a loopback address may have any port: applications take a free one when
    /// they begin (RFC 8252, 7.3).
    package func named(_ requested: String) -> RedirectAddress? {
        if text.hasSameOctets(as: requested) { return self }
        guard let own = Self.numbered(text), let other = Self.numbered(requested), own.host == other.host,
            own.rest.elementsEqual(other.rest)
        else { return nil }
        return RedirectAddress(requested)
    }

    /// Origin as people are shown it: without the port of a loopback address, which is another one each time.
    package var shownOrigin: String {
        if let scheme = Self.privateScheme(of: text) { return scheme }
        return Self.numbered(text)?.host ?? origin
    }

    /// Rule of the addresses that an administrator gives a client, in words.
    package static let strictRule =
        rule + ", and without *: addresses are compared octet by octet, so name each address of the site"

    /// Address that an administrator gives a client; nil for a text that breaks ``strictRule``.
    package static func withoutStar(_ text: String) -> RedirectAddress? {
        text.utf8.contains(UInt8(ascii: "*")) ? nil : RedirectAddress(text)
    }

    /// Origin of pages that a text names, as browsers write it; nil for another text.
    package static func pageOrigin(_ text: String) -> String? {
        RedirectAddress(text).flatMap { $0.origin == text ? $0.pageOrigin : nil }
    }

    /// Origin of pages at the address as browsers write it: in lower case, without the port that the scheme implies
    /// (RFC 6454, 6.2); nil for a private scheme.
    package var pageOrigin: String? {
        guard !isPrivate else { return nil }
        if let origin = ServerBinding.origin(of: text) { return origin }
        let plain = origin.lowercased()
        return plain.hasSuffix(":80") ? String(plain.dropLast(3)) : plain
    }

    /// Loopback address by number without its port, and what follows; nil for others, and for a port that is none.
    private static func numbered(_ text: String) -> (host: String, rest: Substring.UTF8View)? {
        for host in ["http://127.0.0.1", "http://[::1]"] where text.utf8.starts(with: host.utf8) {
            var rest = text.dropFirst(host.count).utf8
            if rest.first == UInt8(ascii: ":") {
                let digits = rest.dropFirst().prefix(while: isDigit)
                guard digits.count <= 5, let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0 else {
                    return nil
                }
                rest = rest.dropFirst(1 + digits.count)
            }
            guard rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") else { return nil }
            return (host, rest)
        }
        return nil
    }
}
