/// One metadata document: one statement, or an array of them, as JSON.
package struct MetadataDocument: Sendable, Hashable {
    /// Where it came from, for messages to the operator.
    package let name: String
    /// The JSON text.
    package let content: [UInt8]

    /// Takes a document.
    package init(name: String, content: [UInt8]) {
        self.name = name
        self.content = content
    }
}
