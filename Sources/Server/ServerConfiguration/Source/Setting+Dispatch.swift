import ServerCore

extension Setting {
    /// The value as the address that opens the application.
    func asLinkAddress() throws(Mismatch) -> LinkAddress {
        guard let address = LinkAddress(try asText()) else {
            throw .rule("must be an https URL or one with a scheme of the application, without a fragment")
        }
        return address
    }

    /// The value as the origin of the push service; a bare host name stands for https.
    func asEndpoint() throws(Mismatch) -> String {
        let text = try asText()
        guard !text.contains("://") else { return try asHTTPSOrigin() }
        let isHost = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._:[]".utf8.contains(byte)
            }
        }
        guard isHost, text.utf8.count <= 300 else { throw .rule("must be an https origin or a host name") }
        return "https://" + text
    }

    /// The value as an HTTP proxy such as `http://proxy.example.com:3128`.
    func asProxy() throws(Mismatch) -> PushProxy {
        let text = try asText()
        let mismatch = Mismatch.rule("must be http://HOST:PORT, without a user and a path")
        let prefix = "http://"
        guard text.hasPrefix(prefix), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw mismatch }
        let authority = text.dropFirst(prefix.count)
        guard let colon = authority.lastIndex(of: ":"), let port = UInt16(authority[authority.index(after: colon)...]),
            port > 0
        else { throw mismatch }
        let host = authority[..<colon]
        guard !host.isEmpty, !host.contains(where: { "/?#@\\".contains($0) }) else { throw mismatch }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.utf8.count > 2
        guard isBracketed || !host.contains(where: { "[]:".contains($0) }) else { throw mismatch }
        return PushProxy(host: String(isBracketed ? host.dropFirst().dropLast() : host), port: Int(port))
    }
}
