/// One content that the user is asked to confirm, as a client hands it to the server.
///
/// Whether the type and the length are allowed is the server's decision; here the content only has to be base64.
public struct TransactionContent: Sendable {
    /// Media type of the content: `text/plain` or `image/png`.
    public let contentType: String
    /// The decoded content.
    public let content: [UInt8]

    /// A content of a given type.
    public init(contentType: String, content: [UInt8]) {
        self.contentType = contentType
        self.content = content
    }

    /// A text of type `text/plain`.
    public init(text: String) {
        self.init(contentType: "text/plain", content: Array(text.utf8))
    }
}
