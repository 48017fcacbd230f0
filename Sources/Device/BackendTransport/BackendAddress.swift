/// The host and port of an absolute `https` URL, read strictly.
///
/// The authority may hold letters, digits and `-._:[]` only: no user, no escapes, no other alphabets. So nothing that
/// reads the same text later can see another host in it.
package struct BackendAddress: Hashable, Sendable {
    /// Host in the form used in certificates: lower case, IPv6 without brackets.
    package let host: String
    /// Host and port, lower case.
    package let authority: String

    /// Reads a URL.
    ///
    /// Throws ``BackendTransportError/unusableAddress`` or ``BackendTransportError/insecureAddress``.
    package init(_ url: String) throws(BackendTransportError) {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { throw .unusableAddress }
        guard url[..<colon].lowercased() == "https" else { throw .insecureAddress }
        let rest = url[colon...].dropFirst(3)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        authority = rest[..<end].lowercased()
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !authority.isEmpty,
            authority.utf8.allSatisfy(Self.isAuthorityOctet), let host = Self.host(of: authority)
        else { throw .unusableAddress }
        self.host = host
    }

    private static func isAuthorityOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]".utf8.contains(octet)
        }
    }

    private static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            let parts = authority.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1].isEmpty || isPort(parts[1]) else { return nil }
            return String(parts[0])
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, !host.contains("["), !host.contains("]"), parts.count <= 2,
            parts.count == 1 || isPort(":" + parts[1])
        else { return nil }
        return String(host)
    }

    private static func isPort(_ text: some StringProtocol) -> Bool {
        guard text.first == ":", let port = UInt16(text.dropFirst()) else { return false }
        return port > 0 && text.dropFirst().allSatisfy(\.isNumber)
    }
}
