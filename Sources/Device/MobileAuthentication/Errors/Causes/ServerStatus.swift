public import Foundation

/// The status code of a FIDO UAF server that refused a message (FIDO UAF Application API 1.1, UAFStatusCode).
///
/// It comes as the cause of a `FidoError` with the code `protocolError`.
///
/// ```swift
/// do {
///     _ = try await client.operations.authentication
///         .username(username).authenticatorSelector(choices).pinUserVerifier(pins).perform()
/// } catch {
///     switch error.cause {
///     case let status as ServerStatus: show("The server refuses (\(status.code)).")
///     case is UnregisteredUserError: show("Register on this device first.")
///     default: show(error.localizedDescription)
///     }
/// }
/// ```
public struct ServerStatus: LocalizedError, Hashable, Sendable {
    /// The number, for example 1498.
    public let code: Int

    /// Wraps a number that a server sent.
    public init(_ code: Int) { self.code = code }

    /// Localized description of the status, with its number.
    public var errorDescription: String? { "\(texts.description.localized) (UAF \(code))" }

    /// Localized recovery suggestion.
    public var recoverySuggestion: String? { texts.recovery.localized }
}

extension ServerStatus {
    /// 1202: the server will have an answer later.
    static let accepted = ServerStatus(1202)
    /// 1401: the authorization is missing, is not the user's, or does not suffice.
    static let unauthorized = ServerStatus(1401)
    /// 1404: the server does not know what the request is about.
    static let notFound = ServerStatus(1404)
    /// 1408: the request or token came too late.
    static let requestTimeout = ServerStatus(1408)
    /// 1491: the request is invalid, or the token was redeemed before.
    static let requestInvalid = ServerStatus(1491)
    /// 1481: the server does not know the key.
    static let unknownKeyID = ServerStatus(1481)
}
