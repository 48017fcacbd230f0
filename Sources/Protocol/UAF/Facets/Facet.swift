/// A FacetID taken apart.
///
/// FIDO AppID and Facet Specification 1.1, 3.1.
enum Facet: Hashable, Sendable {
    /// A web origin.
    case web(WebOrigin)
    /// An application, by signing certificate or bundle; compared byte by byte.
    case application(FacetID)

    /// Nil for anything that cannot be a facet, such as an `http` origin.
    init?(_ id: FacetID) {
        let prefixes = ["android:apk-key-hash:", "ios:bundle-id:", "linux:app-id:"]
        if let origin = WebOrigin(id.text) {
            self = .web(origin)
        } else if prefixes.contains(where: { Self.hasPrefix(id.text, $0) }) {
            self = .application(id)
        } else {
            return nil
        }
    }

    /// The facet of a caller: a web origin with nothing after it but perhaps a slash.
    init?(caller id: FacetID) {
        self.init(id)
        if case .web(let origin) = self, !origin.isBare { return nil }
    }

    private static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        text.utf8.count > prefix.utf8.count && text.utf8.starts(with: prefix.utf8)
    }

    /// Whether a list behind the given AppID may name this facet at all.
    func mayBeListed(by appID: WebOrigin, suffixes: PublicSuffixRules) -> Bool {
        guard case .web(let origin) = self else { return true }
        if origin.isAddress || appID.isAddress { return origin.host == appID.host }
        guard let domain = suffixes.registrableDomain(of: origin.host) else { return false }
        return domain == suffixes.registrableDomain(of: appID.host)
    }
}
