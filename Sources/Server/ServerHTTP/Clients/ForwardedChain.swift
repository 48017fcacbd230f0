import HTTPTypes
import Octets
import ServerCore

/// The addresses that proxies have noted in the header of a request, the nearest to us last.
///
/// Any client can write such fields: an address is believed as far as the proxy that added it is.
struct ForwardedChain {
    /// Hops looked at, from the right; a longer chain of proxies that are all ours is a forgery or a loop.
    private static let hopLimit = 32

    /// One noted address; nil when it is unknown, obfuscated (RFC 7239, 6.3) or no address.
    typealias Hop = IPAddress?

    /// The sender of a request whose nearest address is `peer`: the right-most address that is no trusted proxy's.
    ///
    /// It is `peer` itself when that is no trusted proxy; when there are no such fields; and, as the safe form, when
    /// the fields are malformed or hide that address, or when `Forwarded` and `X-Forwarded-For` name different ones.
    static func sender(of headers: HTTPFields, peer: IPAddress, proxies: ProxySettings) -> IPAddress {
        guard proxies.trusts(peer) else { return peer }
        var (standard, customary): ([String], [String]) = ([], [])
        for field in headers {
            let name = field.name.canonicalName
            if name.hasSameOctets(as: "forwarded") { standard.append(field.value) }
            if name.hasSameOctets(as: "x-forwarded-for") { customary.append(field.value) }
        }
        let first = standard.isEmpty ? nil : sender(in: ForwardedField.hops(in: standard), proxies)
        let second = customary.isEmpty ? nil : sender(in: CustomaryField.hops(in: customary), proxies)
        if !standard.isEmpty && !customary.isEmpty { return first == second ? first ?? peer : peer }
        return first ?? second ?? peer
    }

    /// The right-most hop that is no trusted proxy, the left-most one when all are; nil when a hop before it says
    /// nothing or there is none.
    private static func sender(in hops: [Hop]?, _ proxies: ProxySettings) -> IPAddress? {
        guard let hops else { return nil }
        var last: IPAddress?
        for hop in hops.suffix(hopLimit).reversed() {
            guard let hop else { return nil }
            if !proxies.trusts(hop) { return hop }
            last = hop
        }
        return hops.count > hopLimit ? nil : last
    }
}

/// Reads `X-Forwarded-For`: addresses separated by commas, some proxies add ports.
enum CustomaryField {
    static func hops(in values: [String]) -> [ForwardedChain.Hop] {
        var hops: [ForwardedChain.Hop] = []
        for value in values {
            var rest = value[...].utf8
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
                let hop = Substring(rest[..<end]).trimmed
                if !hop.isEmpty { hops.append(NodeName.address(in: hop)) }
                rest = rest[end...].dropFirst()
            }
        }
        return hops
    }
}

extension Substring {
    /// Without blanks and tabs at both ends.
    var trimmed: Substring {
        func isBlank(_ octet: UInt8) -> Bool { octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") }
        var octets = utf8.drop(while: isBlank)
        while let last = octets.last, isBlank(last) { octets.removeLast() }
        return Substring(octets)
    }
}

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

/// Reads the name of a node: an address, in brackets for IPv6, with or without a port (RFC 7239, 6).
enum NodeName {
    /// The address; nil for `unknown`, an obfuscated identifier, a zone, or anything else.
    static func address(in text: Substring) -> IPAddress? {
        guard text.utf8.first == UInt8(ascii: "[") else { return plainAddress(in: text) }
        guard let end = text.firstIndex(of: "]") else { return nil }
        let inside = text[..<end].dropFirst()
        guard inside.utf8.contains(UInt8(ascii: ":")), let address = IPAddress(inside) else { return nil }
        let rest = text[text.index(after: end)...]
        return rest.isEmpty || rest.hasPrefix(":") && isPort(rest.dropFirst()) ? address : nil
    }

    private static func plainAddress(in text: Substring) -> IPAddress? {
        if let address = IPAddress(text) { return address }
        // An IPv6 address has more than one colon and no port without brackets.
        let halves = text.split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count == 2, isPort(halves[1]) else { return nil }
        return IPAddress(halves[0])
    }

    /// Digits, or an obfuscated port, which says nothing.
    private static func isPort(_ text: Substring) -> Bool {
        if text.hasPrefix("_") {
            return text.utf8.count > 1 && text.utf8.count <= 64
                && text.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
        }
        return (1...5).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isNumber } && UInt16(text) != nil
    }
}
