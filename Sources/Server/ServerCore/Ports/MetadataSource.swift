/// Where metadata documents come from: a file, a directory, the configuration itself.
package protocol MetadataSource: Sendable {
    /// All documents in order; a later one overrides an earlier one.
    ///
    /// Throws ``ServerError/invalidMetadata(name:)`` when one cannot be read.
    func documents() async throws(ServerError) -> [MetadataDocument]
}

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

/// Documents that are known already, such as those inside the configuration.
package struct FixedMetadataSource: MetadataSource {
    private let fixed: [MetadataDocument]

    /// Takes documents.
    package init(_ documents: [MetadataDocument]) {
        fixed = documents
    }

    package func documents() async throws(ServerError) -> [MetadataDocument] { fixed }
}
