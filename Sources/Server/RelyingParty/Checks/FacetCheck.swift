import UAF

/// Check 6: the application that answered is one of the server's own.
enum FacetCheck {
    static func require(_ facet: FacetID, among trusted: TrustedFacets) throws(RefusalReason) {
        guard trusted.contains(facet) else { throw .facet }
    }
}
