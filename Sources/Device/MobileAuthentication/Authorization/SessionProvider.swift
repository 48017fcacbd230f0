/// A session that an authentication steps up, or that a failed authentication left behind.
///
/// It is one of ``CookieSessionProvider`` and ``JwtSessionProvider``; find out with `as?`.
public protocol SessionProvider: Codable, Sendable {}
