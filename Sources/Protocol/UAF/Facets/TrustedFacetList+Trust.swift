extension TrustedFacetList {
    /// The facets that may use `appID` under a protocol version; nil unless exactly one entry has that version.
    ///
    /// FIDO AppID and Facet Specification 1.1, 3.1.2, steps 6 to 9: only web origins and application identities count,
    /// of a web origin only host and port, and its least-specific private label must be that of the AppID.
    func facets(for appID: WebOrigin, version: ProtocolVersion, suffixes: PublicSuffixRules) -> [Facet]? {
        let matching = entries.filter { $0.version == version }
        guard matching.count == 1 else { return nil }
        return matching[0].ids.compactMap { Facet($0) }.filter { $0.mayBeListed(by: appID, suffixes: suffixes) }
    }

    /// Whether the list names a facet for a protocol version: a server's look at its own list.
    ///
    /// Host names ignore case, everything else is compared byte by byte; there are no wildcards.
    public func names(_ facetID: FacetID, version: ProtocolVersion = .version11) -> Bool {
        guard let facet = Facet(caller: facetID) else { return false }
        return entries.contains { $0.version == version && $0.ids.contains { Facet($0) == facet } }
    }
}
