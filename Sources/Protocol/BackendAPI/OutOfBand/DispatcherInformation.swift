/// What a dispatcher answered.
public struct DispatcherInformation: Hashable, Sendable {
    /// The dispatcher that was used.
    public let name: DispatcherName
    /// The link, the picture (PNG in base64), or what the push service answered.
    public let response: String

    /// The answer of a dispatcher.
    public init(name: DispatcherName, response: String) {
        self.name = name
        self.response = response
    }
}
