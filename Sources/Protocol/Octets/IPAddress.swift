/// An IPv4 or IPv6 address; an IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is the IPv4 address.
package struct IPAddress: Sendable, Hashable {
    /// Version of the protocol.
    package enum Family: Sendable, Hashable {
        case v4, v6

        var bitCount: Int { self == .v4 ? 32 : 128 }
    }

    package let family: Family
    private let high: UInt64
    private let low: UInt64

    private init(family: Family, high: UInt64, low: UInt64) {
        self.family = family
        self.high = high
        self.low = low
    }

    /// Takes the octets of an address in network order: 4 or 16 of them; nil for any other number.
    package init?(octets: some Collection<UInt8>) {
        func number(_ part: some Sequence<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        switch octets.count {
        case 4: self.init(family: .v4, high: 0, low: number(octets))
        case 16: self.init(v6High: number(octets.prefix(8)), low: number(octets.suffix(8)))
        default: return nil
        }
    }

    /// Reads the text form (RFC 4291, 2.2, for IPv6); nil for anything else, such as a zone, a port or brackets.
    package init?(_ text: some StringProtocol) {
        if let number = Self.dotted(Substring(text)) {
            self.init(family: .v4, high: 0, low: UInt64(number))
        } else {
            guard text.utf8.count <= 45, text.utf8.contains(UInt8(ascii: ":")), text.utf8.allSatisfy(Self.isPlain),
                let groups = Self.groups(ofWhole: Substring(text))
            else { return nil }
            func number(_ part: some Sequence<UInt16>) -> UInt64 { part.reduce(0) { $0 << 16 | UInt64($1) } }
            self.init(v6High: number(groups.prefix(4)), low: number(groups.suffix(4)))
        }
    }

    private init(v6High high: UInt64, low: UInt64) {
        let isMapped = high == 0 && low >> 32 == 0xFFFF
        self.init(family: isMapped ? .v4 : .v6, high: high, low: isMapped ? low & 0xFFFF_FFFF : low)
    }

    /// The key under which limits count: an IPv4 address, or the /64 network of an IPv6 address.
    ///
    /// A subscriber has at least a whole /64 and could otherwise take a fresh address for each request.
    package var networkKey: String { family == .v4 ? description : "\(first(64))/64" }

    /// Whether it is of the machine itself: 127/8 (RFC 1122, 3.2.1.3) or ::1 (RFC 4291, 2.5.3).
    package var isLoopback: Bool { family == .v4 ? first(8).description == "127.0.0.0" : description == "::1" }

    /// The address with all bits after the first `count` cleared.
    package func first(_ count: Int) -> IPAddress {
        func masked(_ word: UInt64, _ count: Int) -> UInt64 {
            count >= 64 ? word : word & ~(UInt64.max >> max(0, count))
        }
        switch family {
        case .v4: return IPAddress(family: .v4, high: 0, low: masked(low, count + 32))
        case .v6: return IPAddress(family: .v6, high: masked(high, count), low: masked(low, count - 64))
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The text form, for IPv6 the one of RFC 5952.
    package var description: String {
        guard family == .v6 else {
            return "\(low >> 24).\(low >> 16 & 0xFF).\(low >> 8 & 0xFF).\(low & 0xFF)"
        }
        let groups = [high, low].flatMap { word in (0..<4).reversed().map { word >> (16 * UInt64($0)) & 0xFFFF } }
        func text(_ part: some Sequence<UInt64>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        let gap = Self.longestRunOfZeros(groups)
        guard gap.count > 1 else { return text(groups) }
        return text(groups[..<gap.lowerBound]) + "::" + text(groups[gap.upperBound...])
    }

    private static func longestRunOfZeros(_ groups: [UInt64]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for position in groups.indices {
            guard groups[position] == 0 else {
                start = position + 1
                continue
            }
            if position + 1 - start > longest.count { longest = start..<(position + 1) }
        }
        return longest
    }
}

// MARK: - Reading

extension IPAddress {
    private static func isPlain(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Four decimal numbers without leading zeros, which some readers take for octal.
    private static func dotted(_ text: Substring) -> UInt32? {
        var number: UInt32 = 0
        var part: UInt32?
        var count = 1
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where part != 0:
                let value = (part ?? 0) * 10 + UInt32(octet - UInt8(ascii: "0"))
                guard value <= UInt8.max else { return nil }
                part = value
            case UInt8(ascii: "."):
                guard let ended = part, count < 4 else { return nil }
                number = number << 8 | ended
                part = nil
                count += 1
            default: return nil
            }
        }
        return count == 4 ? part.map { number << 8 | $0 } : nil
    }

    private static func groups(ofWhole text: Substring) -> [UInt16]? {
        guard let gap = text.firstRange(of: "::") else {
            return groups(text, mayEndDotted: true).flatMap { $0.count == 8 ? $0 : nil }
        }
        guard let head = groups(text[..<gap.lowerBound], mayEndDotted: false),
            let tail = groups(text[gap.upperBound...], mayEndDotted: true), head.count + tail.count < 8
        else { return nil }
        return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring, mayEndDotted: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (position, part) in parts.enumerated() {
            if mayEndDotted, position == parts.count - 1, let number = dotted(part) {
                groups += [UInt16(number >> 16), UInt16(truncatingIfNeeded: number)]
            } else {
                guard part.utf8.count <= 4, let group = UInt16(part, radix: 16) else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}
