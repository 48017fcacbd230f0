/// A network of addresses in CIDR form (RFC 4632; RFC 4291, 2.3), such as `10.0.0.0/8` or `2001:db8::/32`.
package struct IPNetwork: Sendable, Hashable {
    private let address: IPAddress
    private let prefixBitCount: Int

    /// Reads the text form; an address alone is a network of one.
    ///
    /// Nil for anything else, also when bits after the prefix are set: `10.0.0.1/8` is more likely a mistake than a
    /// wish to trust sixteen million addresses.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        self.address = address
        guard parts.count == 2 else {
            prefixBitCount = address.family.bitCount
            return
        }
        // The prefix of an IPv4 network in IPv6 form counts the 96 bits before it.
        let isMapped = address.family == .v4 && first.utf8.contains(UInt8(ascii: ":"))
        let digits = parts[1].utf8
        guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let written = Int(parts[1])
        else { return nil }
        let count = written - (isMapped ? 96 : 0)
        guard (0...address.family.bitCount).contains(count), address.first(count) == address else { return nil }
        prefixBitCount = count
    }

    package var isEverything: Bool { prefixBitCount == 0 }

    package func contains(_ other: IPAddress) -> Bool {
        other.family == address.family && other.first(prefixBitCount) == address
    }
}

extension IPNetwork: CustomStringConvertible {
    package var description: String { "\(address)/\(prefixBitCount)" }
}
