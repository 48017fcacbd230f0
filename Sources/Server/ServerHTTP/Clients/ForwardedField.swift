import Octets
import ServerCore

/// Reads `Forwarded` (RFC 7239, 4): elements separated by commas, each with pairs separated by semicolons.
struct ForwardedField {
    private var rest: Substring.UTF8View
    private var hops: [ForwardedChain.Hop] = []

    private init(_ value: String) {
        rest = value[...].utf8
    }

    /// The addresses of all fields in their order; nil when one of them is malformed.
    static func hops(in values: [String]) -> [ForwardedChain.Hop]? {
        var hops: [ForwardedChain.Hop] = []
        for value in values {
            var field = ForwardedField(value)
            guard field.readElements() else { return nil }
            hops += field.hops
        }
        return hops
    }

    private mutating func readElements() -> Bool {
        while true {
            skipBlanks()
            if rest.isEmpty { return true }
            // An empty element counts for nothing (RFC 9110, 5.6.1.2).
            if take(",") { continue }
            guard readElement() else { return false }
            guard rest.isEmpty || take(",") else { return false }
        }
    }

    /// Reads pairs up to a comma or the end; an element has each name once.
    private mutating func readElement() -> Bool {
        var node: String?
        while true {
            skipBlanks()
            if rest.isEmpty || next == UInt8(ascii: ",") { break }
            if take(";") { continue }
            guard let name = readToken(), take("="), let value = readValue() else { return false }
            if name.lowercased().hasSameOctets(as: "for") {
                guard node == nil else { return false }
                node = value
            }
            skipBlanks()
            guard rest.isEmpty || next == UInt8(ascii: ",") || next == UInt8(ascii: ";") else { return false }
        }
        hops.append(node.flatMap { NodeName.address(in: $0[...]) })
        return true
    }

    private mutating func readValue() -> String? {
        next == UInt8(ascii: "\"") ? readQuoted() : readToken()
    }

    /// RFC 9110, 5.6.4.
    private mutating func readQuoted() -> String? {
        rest.removeFirst()
        var octets: [UInt8] = []
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "\""): return String(validating: octets, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                octets.append(escaped)
            default: octets.append(octet)
            }
        }
        return nil
    }

    /// RFC 9110, 5.6.2; nil for an empty one.
    private mutating func readToken() -> String? {
        let token = rest.prefix(while: Self.isTokenOctet)
        guard !token.isEmpty else { return nil }
        rest = rest[token.endIndex...]
        return String(Substring(token))
    }

    private static func isTokenOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        // Colon and brackets are outside tokens, but many proxies forget the quotes around addresses with them.
        default: "!#$%&'*+-.^_`|~:[]".utf8.contains(octet)
        }
    }

    private var next: UInt8? { rest.first }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
