package import StrictJSON

/// The document behind an AppID: which facets may use it, for each protocol version.
///
/// FIDO AppID and Facet Specification 1.1, 3.1.2.
///
/// ```swift
/// let list = TrustedFacetList(entries: [TrustedFacetList.Entry(ids: facets)])
/// let body = list.document  // To be served as `TrustedFacetList.mediaType`.
/// ```
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
    public init(entries: [Entry]) { self.entries = entries }
}

extension TrustedFacetList {
    /// The facets that may use `appID` under a protocol version; nil unless exactly one entry has that version.
    ///
    /// FIDO AppID and Facet Specification 1.1, 3.1.2, steps 6 to 9: only web origins and application identities count,
    /// of a web origin only host and port, and its least-specific private label must be the AppID's.
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

extension TrustedFacetList: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        self.init(entries: try json.asObject().requiredArray("trustedFacets", rules: rules))
    }

    package var json: JSONValue { .object(["trustedFacets": .array(entries.map(\.json))]) }

    /// Reads the document; throws ``MessageError`` when anything is missing, empty or mistyped.
    public init(document: [UInt8]) throws(MessageError) {
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(document, limits: JSONLimits(byteCount: Self.byteLimit, depth: 16))
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            try self.init(json: json, rules: .strict)
        } catch {
            throw MessageError(error)
        }
    }

    /// The document in UTF-8.
    public var document: [UInt8] { JSONWriter.write(json) }
}

extension TrustedFacetList.Entry: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            version: try members.required("version", rules: rules),
            ids: try members.requiredArray("ids", rules: rules))
    }

    package var json: JSONValue {
        .object(["version": version.json, "ids": .array(ids.map(\.json))])
    }
}
