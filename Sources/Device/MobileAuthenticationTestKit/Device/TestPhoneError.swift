/// Why a pretended phone could not be made.
@nonexhaustive
public enum TestPhoneError: Error, Sendable {
    /// The name of the application makes no facet: use letters, digits, `-` and `.`.
    case unusableApplicationName
    /// The folder for keys and records could not be made or opened.
    case storage(any Error)
    /// The client could not be made.
    case client(any Error)
}
