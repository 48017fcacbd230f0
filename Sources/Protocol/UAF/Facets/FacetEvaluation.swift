/// Whether an application may use an AppID.
///
/// FIDO AppID and Facet Specification 1.1, 3.1.2. The evaluation does no input or output: it says which list to fetch and
/// is told what came back. Everything that goes wrong on the way refuses.
public struct FacetEvaluation: Sendable {
    /// What to do next, or the result.
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
