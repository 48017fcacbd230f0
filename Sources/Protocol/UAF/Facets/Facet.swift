/// Identifier of one form of an application: a web origin, an Android signing certificate or an iOS bundle.
///
/// FIDO AppID and Facet Specification 1.1, 3.1; 1 to 512 Unicode scalar values. The platform determines it, never the
/// caller. Compared byte by byte.
public struct FacetID: Hashable, Sendable, CustomStringConvertible {
    /// Allowed number of Unicode scalar values.
    public static let scalarCounts = 1...512

    private let exact: ExactString

    /// Takes text of an allowed length; nil for anything else.
    public init?(_ text: String) {
        guard let exact = ExactString(text, scalarCount: Self.scalarCounts) else { return nil }
        self.exact = exact
    }

    /// The text as it was given.
    public var text: String { exact.text }

    /// Same as ``text``.
    public var description: String { text }
}

/// Whether an application may use an AppID.
///
/// FIDO AppID and Facet Specification 1.1, 3.1.2. The evaluation does no input or output: it says which list to fetch
/// and is told what came back. Everything that goes wrong on the way refuses.
///
/// ```swift
/// var evaluation = FacetEvaluation(appID: header.appID, facetID: facetID, suffixes: suffixes)
/// var step = evaluation.start()
/// while case .fetch(let url) = step {
///     step = evaluation.resume(await fetch(url))
/// }
/// guard case .allowed(let appID) = step else { return nil }
/// ```
public struct FacetEvaluation: Sendable {
    /// Next step of the evaluation, or its result.
    public enum Step: Hashable, Sendable {
        /// Fetch this `https` URL as ``FacetResponse`` describes, then call ``FacetEvaluation/resume(_:)``.
        case fetch(url: String)
        /// The application may use this AppID.
        case allowed(AppID)
        /// The application may not use the AppID (``ClientErrorCode/untrustedFacetID``).
        case refused
    }

    /// Redirects that are followed.
    public static let redirectLimit = 5

    private let appID: AppID?
    private let facetID: FacetID
    private let version: ProtocolVersion
    private let suffixes: PublicSuffixRules
    private var url = ""
    private var redirects = 0

    /// Prepares to judge a caller.
    ///
    /// `appID` is nil when the message leaves it out; `facetID` is what the platform says about the caller.
    public init(
        appID: AppID?, facetID: FacetID, version: ProtocolVersion = .version11, suffixes: PublicSuffixRules = .none
    ) {
        self.appID = appID
        self.facetID = facetID
        self.version = version
        self.suffixes = suffixes
    }

    /// The first step; most callers need no list.
    public mutating func start() -> Step {
        guard let appID else {
            guard let own = AppID(facetID.text) else { return .refused }
            return .allowed(own)
        }
        if appID.text.utf8.elementsEqual(facetID.text.utf8) { return .allowed(appID) }
        guard let origin = WebOrigin(appID.text) else { return .refused }
        if let caller = WebOrigin(facetID.text), caller.isBare, caller.host == origin.host { return .allowed(appID) }
        url = appID.text
        return .fetch(url: url)
    }

    /// The step after a fetch; nil stands for a fetch that failed.
    public mutating func resume(_ response: FacetResponse?) -> Step {
        guard let response, let appID, let origin = WebOrigin(appID.text) else { return .refused }
        if (300..<400).contains(response.status) { return redirect(response) }
        guard response.status == 200, isFacetList(response), response.body.count <= TrustedFacetList.byteLimit,
            let list = try? TrustedFacetList(document: response.body),
            let facets = list.facets(for: origin, version: version, suffixes: suffixes),
            let caller = Facet(caller: facetID), facets.contains(caller)
        else { return .refused }
        return .allowed(appID)
    }

    private mutating func redirect(_ response: FacetResponse) -> Step {
        guard redirects < Self.redirectLimit, let allowed = response.value(of: "FIDO-AppID-Redirect-Authorized"),
            allowed.utf8.elementsEqual("true".utf8), let target = response.value(of: "Location"),
            WebOrigin(target) != nil
        else { return .refused }
        redirects += 1
        url = target
        return .fetch(url: url)
    }

    private func isFacetList(_ response: FacetResponse) -> Bool {
        guard let field = response.value(of: "Content-Type") else { return false }
        let mediaType = field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        return mediaType.lowercased() == TrustedFacetList.mediaType
    }
}

/// Response to the fetch of a trusted facet list.
///
/// The request must be anonymous (no cookies, no authorization, no `Origin`, no `Referer`, no client certificate), and
/// the transport must not follow redirects.
public struct FacetResponse: Hashable, Sendable {
    /// One header field.
    public struct Field: Hashable, Sendable {
        /// Name, in any case.
        public let name: String
        /// Value.
        public let value: String

        /// Pairs a name with a value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Status code.
    public let status: Int
    /// Header fields in order.
    public let fields: [Field]
    /// The body; more than ``TrustedFacetList/byteLimit`` bytes are refused.
    public let body: [UInt8]

    /// Hands over a response.
    public init(status: Int, fields: [Field], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the field when it occurs exactly once.
    func value(of name: String) -> String? {
        let found = fields.filter { $0.name.lowercased() == name.lowercased() }
        return found.count == 1 ? found[0].value : nil
    }
}

/// A FacetID taken apart.
///
/// FIDO AppID and Facet Specification 1.1, 3.1.
enum Facet: Hashable, Sendable {
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
