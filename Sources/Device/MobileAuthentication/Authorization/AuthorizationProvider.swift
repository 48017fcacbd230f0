#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Authorization for an operation, presented to the server with it.
///
/// It is one of ``CookieAuthorizationProvider``, ``JwtAuthorizationProvider`` and ``EmptyAuthorizationProvider``; find
/// out with `as?`. The SDK sends it with the operation it was given to and keeps nothing of it.
///
/// ```swift
/// let session = try await client.operations.authentication
///     .username(name).authenticatorSelector(screen).pinUserVerifier(screen).perform()
/// if let session {
///     try await client.operations.deregistration.username(name).authorizationProvider(session).perform()
/// }
/// ```
public protocol AuthorizationProvider: Codable, Sendable {}

/// Cookies of a session, sent as one `Cookie` header (RFC 6265 section 5.4).
///
/// Only cookies whose domain, path and security fit the address of the request are sent. A cookie whose name or value
/// breaks RFC 6265 section 4.1.1 (control characters, line breaks) ends the operation before any request.
public struct CookieAuthorizationProvider: AuthorizationProvider {
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

extension CookieAuthorizationProvider: Redacted {}

/// A JSON Web Token, sent as `Authorization: Bearer`.
public struct JwtAuthorizationProvider: AuthorizationProvider, Hashable {
    /// The token in its compact form.
    public let jwt: String

    /// Takes a token in its compact form.
    public init(_ jwt: String) { self.jwt = jwt }
}

extension JwtAuthorizationProvider: Redacted {}

/// Authorization by the device itself: it signs the request with its key for the server, without a user.
///
/// It is meant for ``Deregistration``, where it is the recommended kind; elsewhere it sends nothing.
public struct JwsAuthorizationProvider: AuthorizationProvider, Hashable {
    /// Makes the provider; it has no parameters.
    public init() {}
}

/// No authorization: nothing is sent; at a ``Deregistration`` the device signs where the server demands one.
public struct EmptyAuthorizationProvider: AuthorizationProvider, Hashable {
    /// Creates the provider, which sends nothing.
    public init() {}
}
