package import UAF

/// The applications whose answers a server takes.
///
/// FIDO AppID and Facet Specification 1.1, 3.1. Application identities are compared byte by byte; of web origins the
/// scheme and host ignore case, and a slash at the end means nothing.
package struct TrustedFacets: Hashable, Sendable {
    private let spellings: Set<FacetID>

    package init(_ facets: some Sequence<FacetID>) {
        spellings = Set(facets.map(Self.canonical))
    }

    package func contains(_ facet: FacetID) -> Bool {
        spellings.contains(facet) || spellings.contains(Self.canonical(facet))
    }

    private static func canonical(_ facet: FacetID) -> FacetID {
        let scheme = "https://"
        var octets = Array(facet.text.utf8)
        guard octets.count > scheme.utf8.count,
            octets.prefix(scheme.utf8.count).map(lowercase).elementsEqual(scheme.utf8)
        else { return facet }
        if octets.last == UInt8(ascii: "/") { octets.removeLast() }
        // A path would make it no origin; it is left alone, so it equals only itself.
        guard !octets.dropFirst(scheme.utf8.count).contains(UInt8(ascii: "/")) else { return facet }
        return FacetID(String(decoding: octets.map(lowercase), as: UTF8.self)) ?? facet
    }

    private static func lowercase(_ octet: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) ? octet | 0x20 : octet
    }
}
