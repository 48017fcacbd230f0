package import BackendAPI
package import UAF

/// Versions of one application, as the operator wants them.
package struct ApplicationVersions: Sendable, Hashable {
    package let facet: FacetID
    /// Oldest version that may be used; nil: each.
    package var minimum: ApplicationVersion?
    package var latest: ApplicationVersion?
    /// Versions that may not be used although they are not older than the minimum.
    package var blocked: Set<ApplicationVersion> = []
    /// Address where the application is updated.
    package var storeAddress: String?
    /// Text for the person, by language.
    package var messages: [String: String] = [:]

    package init(facet: FacetID) { self.facet = facet }

    /// Every version that the operator has named.
    package var named: Set<ApplicationVersion> { blocked.union([minimum, latest].compactMap(\.self)) }

    package func statement(on version: ApplicationVersion) -> ApplicationVersionStatement {
        ApplicationVersionStatement(
            facet: facet.text, version: version, verdict: verdict(on: version), minimum: minimum, latest: latest,
            storeAddress: storeAddress, messages: messages)
    }

    package func verdict(on version: ApplicationVersion) -> ApplicationVersionStatement.Verdict {
        if blocked.contains(version) { return .blocked }
        if let minimum, version < minimum { return .updateRequired }
        if let latest, version < latest { return .updateAvailable }
        return .upToDate
    }
}
