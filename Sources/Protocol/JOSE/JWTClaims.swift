package import StrictJSON

/// The claims of a JSON Web Token (RFC 7519).
public struct JWTClaims: Sendable {
    /// Who issued the token.
    public let issuer: String?
    /// Whom the token is about.
    public let subject: String?
    /// Whom the token is for; empty when nothing is said.
    public let audience: [String]
    /// When the token ends to hold, in seconds since 1970.
    public let expirationTime: Int64?
    /// When the token begins to hold, in seconds since 1970.
    public let notBefore: Int64?
    /// When the token was issued, in seconds since 1970.
    public let issuedAt: Int64?
    /// All members, also the registered ones, as they were read.
    package let members: JSONObject

    /// The claim of this name when it is a string.
    public func text(_ name: String) -> String? {
        guard case .string(let text) = members[name] else { return nil }
        return text
    }

    /// The claim of this name when it is an array of strings; a single string counts as an array of one.
    public func texts(_ name: String) -> [String]? {
        switch members[name] {
        case .string(let text): return [text]
        case .array(let values):
            let texts = values.compactMap { value -> String? in
                guard case .string(let text) = value else { return nil }
                return text
            }
            return texts.count == values.count ? texts : nil
        default: return nil
        }
    }
}
