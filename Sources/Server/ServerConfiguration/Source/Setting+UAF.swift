import ServerCore
import UAF

extension Setting {
    /// The value as an appID.
    func asAppID() throws(Mismatch) -> AppID {
        guard let appID = AppID(try asHTTPSURL()) else { throw .rule("must be an https URL of at most 512 characters") }
        return appID
    }

    /// The value as a facet; what looks like a wildcard passes in the development profile only.
    func asFacet(_ profile: Deployment.Profile) throws(Mismatch) -> FacetID {
        let text = try asText()
        let prefixes = ["https://", "android:apk-key-hash:", "ios:bundle-id:", "linux:app-id:"]
        guard let facet = FacetID(text), prefixes.contains(where: { text.hasPrefix($0) && text.count > $0.count })
        else { throw .rule("must begin with one of " + prefixes.joined(separator: ", ")) }
        if profile == .production && text.hasSuffix("*") {
            throw .rule(
                "is no wildcard: it would match only an application of literally this identity; list the applications")
        }
        return facet
    }

    /// The value as an authenticator model such as `F1D0#0001`.
    func asModel() throws(Mismatch) -> AAID {
        guard let aaid = AAID(try asText()) else { throw .rule("must be an AAID such as F1D0#0001") }
        return aaid
    }

    /// The value as models that are used together, joined by `+`.
    func asAlternative() throws(Mismatch) -> [AAID] {
        let parts = try asText().split(separator: "+", omittingEmptySubsequences: false)
        var models: [AAID] = []
        for part in parts {
            guard let aaid = AAID(part.filter { $0 != " " }) else {
                throw .rule("must be AAIDs such as F1D0#0001, joined by + when they are used together")
            }
            models.append(aaid)
        }
        return models
    }

    /// The value as the name of a policy.
    func asPolicyName() throws(Mismatch) -> PolicyName {
        guard let name = PolicyName(try asText()) else {
            throw .rule("a policy name has letters, digits, dot, underscore and hyphen")
        }
        return name
    }
}
