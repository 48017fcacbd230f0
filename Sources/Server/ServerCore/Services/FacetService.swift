import Synchronization
package import UAF

/// The applications that may answer, as the configuration lists them.
package final class FacetService: Sendable {
    private let current: Mutex<[FacetID]>

    /// Starts with the facets of the configuration; throws ``ServerError/invalidSetting(name:)`` when there are none.
    package init(_ facets: [FacetID]) throws(ServerError) {
        guard !facets.isEmpty else { throw .invalidSetting(name: "facets") }
        current = Mutex(facets)
    }

    /// The facets in use.
    package var facets: [FacetID] { current.withLock { $0 } }

    /// The document behind the appID.
    package var list: TrustedFacetList { TrustedFacetList(entries: [TrustedFacetList.Entry(ids: facets)]) }

    /// Takes other facets without a restart; throws ``ServerError/invalidSetting(name:)`` when there are none.
    package func replace(_ facets: [FacetID]) throws(ServerError) {
        guard !facets.isEmpty else { throw .invalidSetting(name: "facets") }
        current.withLock { $0 = facets }
    }
}
