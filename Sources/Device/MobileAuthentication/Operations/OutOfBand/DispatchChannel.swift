/// Channel by which an operation was dispatched, named after the dispatchers of the server.
@nonexhaustive
public enum DispatchChannel: Hashable, Sendable {
    /// As a push message.
    case firebase
    /// As an image of a QR code.
    case png
    /// As a link.
    case link
    /// As an e-mail.
    case email
    /// Within the application.
    case inBand
    /// By a dispatcher of this name.
    case other(String)
}
