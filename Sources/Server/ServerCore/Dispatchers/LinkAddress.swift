import BackendAPI
import Octets

/// The address that opens the application on a phone: an `https` URL that belongs to it, or its own scheme.
package struct LinkAddress: Sendable, Hashable {
    package static let maximumByteCount = 512

    package let text: String

    /// Takes an absolute URL of printable ASCII without a fragment; nil for anything else.
    ///
    /// Schemes that a browser opens itself would hand the payload to a page (`http`) or run it (`javascript`), so
    /// they are refused. With `allowsLoopback` an `http` URL of this machine is taken, for a phone page of a trial.
    package init?(_ text: String, allowsLoopback: Bool = false) {
        guard text.utf8.count <= Self.maximumByteCount, text.utf8.allSatisfy(Self.isPlain),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let scheme = text[..<colon]
        let rest = text[text.utf8.index(after: colon)...]
        let isLoopback = allowsLoopback && scheme == "http" && Self.isOfThisMachine(rest)
        guard Self.isScheme(scheme), isLoopback || !Self.refusedSchemes.contains(String(scheme)), !rest.isEmpty else {
            return nil
        }
        let isWeb = scheme.utf8.elementsEqual("https".utf8)
        guard !isWeb || Self.hasHost(rest) else { return nil }
        self.text = text
    }

    /// The link that carries a payload: a query, or one more parameter of the query that is there.
    package func link(carrying envelope: String) -> String {
        let query = "\(OutOfBandEnvelope.linkParameter)=\(Base64URL.encode(Array(envelope.utf8)))"
        guard text.utf8.contains(UInt8(ascii: "?")) else { return "\(text)?\(query)" }
        return text.hasSuffix("?") || text.hasSuffix("&") ? text + query : "\(text)&\(query)"
    }

    private static let refusedSchemes: Set<String> = [
        "http", "javascript", "data", "file", "blob", "about", "vbscript", "content", "intent", "view-source",
    ]

    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x21...0x7E).contains(octet) && !"\"<>\\^`{|}#".utf8.contains(octet)
    }

    /// RFC 3986, 3.1, in lower case only, so that there is one spelling.
    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "+-.".utf8.contains(octet)
            }
        }
    }

    /// Whether `//address:port` stands there, before a path, with an address of 127/8.
    private static func isOfThisMachine(_ rest: Substring) -> Bool {
        guard rest.hasPrefix("//"), let slash = rest.dropFirst(2).firstIndex(of: "/") else { return false }
        let parts = rest[..<slash].dropFirst(2).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(parts[0]), address.description == parts[0] else { return false }
        return address.isLoopback && !parts[1].isEmpty
            && parts[1].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether `//host` stands there, without a user that would make another host of what is read.
    private static func hasHost(_ rest: Substring) -> Bool {
        guard rest.hasPrefix("//") else { return false }
        let authority = rest.dropFirst(2).prefix { !"/?".contains($0) }
        return !authority.isEmpty && !authority.contains("@")
    }
}
