import ServerCore

extension Setting {
    /// The value as an https origin without path, such as `https://login.example.com:8443`.
    func asHTTPSOrigin() throws(Mismatch) -> String {
        let url = try asHTTPSURL()
        let rest = url.dropFirst("https://".count)
        guard !rest.contains("/") else { throw .rule("must have no path and no slash at the end") }
        return url
    }

    /// The value as an https URL without user, query and fragment, at most 512 bytes (the limit of an appID).
    func asHTTPSURL() throws(Mismatch) -> String {
        let url = try asText()
        let prefix = "https://"
        guard url.hasPrefix(prefix), url.utf8.count > prefix.utf8.count else { throw .rule("must begin with https://") }
        guard url.utf8.count <= 512 else { throw .rule("must have at most 512 characters") }
        let isPlain = url.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}@?#".utf8.contains(byte)
        }
        guard isPlain else { throw .rule("must be a plain URL without user, query and fragment") }
        return url
    }

    /// The value as a network such as `10.0.0.0/8` or `2001:db8::/32`; an address alone is a network of one.
    func asNetwork() throws(Mismatch) -> IPNetwork {
        guard let network = IPNetwork(try asText()) else {
            throw .rule("must be a network such as 10.0.0.0/8 or 2001:db8::/32, with no bits set after its prefix")
        }
        return network
    }
}
