import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The properties of one cookie; `HTTPCookie` itself cannot be coded.
struct CookieRecord: Codable {
    let name: String
    let value: String
    let domain: String
    let path: String
    let expires: Date?
    let secure: Bool
    let httpOnly: Bool

    init(_ cookie: HTTPCookie) {
        name = cookie.name
        value = cookie.value
        domain = cookie.domain
        path = cookie.path
        expires = cookie.expiresDate
        secure = cookie.isSecure
        httpOnly = cookie.isHTTPOnly
    }

    init(name: String, value: String, domain: String, path: String, expires: Date?, secure: Bool, httpOnly: Bool) {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.expires = expires
        self.secure = secure
        self.httpOnly = httpOnly
    }

    var cookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value, .domain: domain, .path: path]
        properties[.expires] = expires
        if secure { properties[.secure] = "TRUE" }
        if httpOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }

    static func cookies(from decoder: any Decoder) throws -> [HTTPCookie] {
        try decoder.singleValueContainer().decode([CookieRecord].self).map { try $0.cookie(for: decoder) }
    }

    /// Writes each cookie as a dictionary of its properties.
    static func encode(_ cookies: [HTTPCookie], to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(cookies.map(CookieRecord.init))
    }

    private func cookie(for decoder: any Decoder) throws -> HTTPCookie {
        guard let cookie else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "The cookie is incomplete."))
        }
        return cookie
    }
}

extension CookieRecord: Redacted {}
