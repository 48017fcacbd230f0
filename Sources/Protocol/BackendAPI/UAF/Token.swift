import Octets
import StrictJSON

/// One token that a server hands out after it accepted a response.
///
/// The value is a secret: it must not reach logs or errors.
public struct Token: Sendable {
    /// Kind of token, such as a cookie or a JWT.
    public let type: TokenType
    /// The token itself.
    public var value: String { sensitiveValue.reveal() }
    private let sensitiveValue: Sensitive<String>

    /// A token of a type.
    public init(type: TokenType, value: String) {
        self.type = type
        sensitiveValue = Sensitive(value)
    }
}

extension Token: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(type: TokenType(rawValue: try members.string("type")), value: try members.string("value"))
    }

    var json: JSONValue { .object(["type": .string(type.rawValue), "value": .string(value)]) }
}

/// Kind of a token (FIDO UAF Application API and Transport Binding 1.1); unknown kinds survive decoding.
public struct TokenType: RawRepresentable, Hashable, Sendable {
    /// The spelling on the wire.
    public let rawValue: String

    /// Accepts spellings that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A cookie.
    public static let httpCookie = TokenType(rawValue: "HTTP_COOKIE")
    /// OAuth 1.
    public static let oauth = TokenType(rawValue: "OAUTH")
    /// OAuth 2.
    public static let oauth2 = TokenType(rawValue: "OAUTH2")
    /// SAML 1.1.
    public static let saml11 = TokenType(rawValue: "SAML1_1")
    /// SAML 2.
    public static let saml2 = TokenType(rawValue: "SAML2")
    /// A JSON Web Token.
    public static let jwt = TokenType(rawValue: "JWT")
    /// OpenID Connect.
    public static let openIDConnect = TokenType(rawValue: "OPENID_CONNECT")

    /// Whether both are spelled with the same bytes.
    public static func == (one: TokenType, other: TokenType) -> Bool { one.rawValue.hasSameOctets(as: other.rawValue) }

    /// Feeds the bytes of the spelling to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }
}
