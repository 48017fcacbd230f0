/// What shows a server that an operation is allowed.
///
/// It is one of ``CookieAuthorizationProvider``, ``JwtAuthorizationProvider`` and ``EmptyAuthorizationProvider``; find
/// out with `as?`. The SDK sends it with the operation it was given to and keeps nothing of it.
public protocol AuthorizationProvider: Codable, Sendable {}
