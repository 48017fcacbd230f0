#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Cookies of a session, sent as one `Cookie` header (RFC 6265, 5.4).
///
/// Only cookies whose domain, path and security fit the address of the request are sent. A cookie whose name or value
/// breaks RFC 6265, 4.1.1 (control characters, line breaks) ends the operation before any request.
public struct CookieAuthorizationProvider: AuthorizationProvider {
    /// The cookies.
    public let cookies: [HTTPCookie]

    /// Takes cookies, for example those of a login.
    public init(_ cookies: [HTTPCookie]) {
        self.cookies = cookies
    }

    /// Reads the list that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let records = try decoder.singleValueContainer().decode([CookieRecord].self)
        cookies = try records.map { try $0.cookie(for: decoder) }
    }

    /// Writes each cookie as a dictionary of its properties.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(cookies.map(CookieRecord.init))
    }
}
