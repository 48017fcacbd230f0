public import Foundation

/// A server named a user with characters that are not shown, or that change what is shown: control and format characters,
/// and separators of lines.
///
/// It comes as the cause of a `FidoError` with the code `protocolError`; no key was made. A name that the application has
/// given itself is taken as it is.
public struct UnreadableUserNameError: LocalizedError, Hashable, Sendable {
    /// Does not repeat the name.
    public init() {}

    /// Says what happened.
    public var errorDescription: String? { "The server names a user with characters that cannot be shown." }
}
