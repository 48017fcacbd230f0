import NIOHTTP1

/// Rule for what the decoder lets through in the head of a request although the standard wants it refused.
enum HeadRule {
    /// Head that stands for one that cannot be read, so that its refusal is handled like every other.
    static let unreadable = HTTPRequestHead(version: .http1_1, method: .RAW(value: "-"), uri: "/")

    /// Fault of the head: a request of HTTP/1.1 names one host, once (RFC 9112, 3.2); nil when it does.
    static func fault(of head: HTTPRequestHead) -> RequestFault? {
        let hosts = head.headers["Host"]
        guard let host = hosts.first else { return head.version == .http1_0 ? nil : .malformedHost }
        return hosts.count == 1 && isHost(Array(host.utf8)) ? nil : .malformedHost
    }

    /// Whether it is a name or an address, with or without a port (RFC 9110, 7.2; RFC 3986, 3.2.2).
    ///
    /// It may be empty, as it is where the target has no authority.
    private static func isHost(_ octets: [UInt8]) -> Bool {
        let isLiteral = octets.first == UInt8(ascii: "[")
        let end: Int
        if isLiteral {
            guard let bracket = octets.firstIndex(of: UInt8(ascii: "]")), isAddress(octets[1..<bracket]) else {
                return false
            }
            end = bracket + 1
        } else {
            end = octets.firstIndex(of: UInt8(ascii: ":")) ?? octets.count
            guard isName(octets[..<end]) else { return false }
        }
        guard let separator = octets[end...].first else { return true }
        let port = octets[end...].dropFirst()
        return separator == UInt8(ascii: ":") && port.count <= 5 && port.allSatisfy(isDigit)
    }

    private static func isAddress(_ octets: ArraySlice<UInt8>) -> Bool {
        !octets.isEmpty && octets.allSatisfy { isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    private static func isName(_ octets: ArraySlice<UInt8>) -> Bool {
        var rest = octets
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "%") {
                guard rest.count >= 2, rest.prefix(2).allSatisfy(isHexDigit) else { return false }
                rest = rest.dropFirst(2)
            } else if !isDigit(octet), !isLetter(octet), !marks.contains(octet) {
                return false
            }
        }
        return true
    }

    /// Characters of a registered name besides letters, digits and escapes.
    private static let marks = Array("-._~!$&'()*+,;=".utf8)

    private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }

    private static func isLetter(_ octet: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet | 0x20)
    }

    private static func isHexDigit(_ octet: UInt8) -> Bool {
        isDigit(octet) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(octet | 0x20)
    }
}
