/// The document behind an AppID: which facets may use it, for each protocol version.
///
/// FIDO AppID and Facet Specification 1.1, 3.1.2.
public struct TrustedFacetList: Hashable, Sendable {
    /// Media type of the document.
    public static let mediaType = "application/fido.trusted-apps+json"
    /// Largest document that a client reads, in bytes.
    public static let byteLimit = 256 * 1024

    /// The facets for one protocol version.
    public struct Entry: Hashable, Sendable {
        /// The version.
        public let version: ProtocolVersion
        /// The facets; not empty.
        public let ids: [FacetID]

        /// Lists facets.
        public init(version: ProtocolVersion = .version11, ids: [FacetID]) {
            self.version = version
            self.ids = ids
        }
    }

    /// One entry for each version; not empty.
    public let entries: [Entry]

    /// Makes a list.
    public init(entries: [Entry]) {
        self.entries = entries
    }
}
