#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A session that an authentication steps up, or that a failed authentication left behind.
///
/// It is one of ``CookieSessionProvider`` and ``JwtSessionProvider``; find out with `as?`.
public protocol SessionProvider: Codable, Sendable {}

/// A session kept in cookies.
///
/// Only cookies whose domain, path and security fit the address of the request are sent. A cookie whose name or value
/// breaks RFC 6265 section 4.1.1 (control characters, line breaks) ends the operation before any request.
public struct CookieSessionProvider: SessionProvider {
    /// The cookies.
    public let cookies: [HTTPCookie]

    /// Takes cookies, for example from a login.
    public init(_ cookies: [HTTPCookie]) { self.cookies = cookies }

    /// Reads the list that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        cookies = try CookieRecord.cookies(from: decoder)
    }

    /// Writes each cookie as a dictionary of its properties.
    public func encode(to encoder: any Encoder) throws {
        try CookieRecord.encode(cookies, to: encoder)
    }
}

extension CookieSessionProvider: Redacted {}

/// A session kept in a JSON Web Token.
public struct JwtSessionProvider: SessionProvider, Hashable {
    /// The token in its compact form.
    public let jwt: String

    /// Takes a token in its compact form.
    public init(_ jwt: String) { self.jwt = jwt }
}

extension JwtSessionProvider: Redacted {}
