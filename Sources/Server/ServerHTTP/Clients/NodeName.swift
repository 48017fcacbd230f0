import ServerCore

/// Reads the name of a node: an address, in brackets for IPv6, with or without a port (RFC 7239, 6).
enum NodeName {
    /// The address; nil for `unknown`, an obfuscated identifier, a zone, or anything else.
    static func address(in text: Substring) -> IPAddress? {
        guard text.hasPrefix("[") else { return plainAddress(in: text) }
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
