/// Documents that are known already, such as those inside the configuration.
package struct FixedMetadataSource: MetadataSource {
    private let fixed: [MetadataDocument]

    /// Takes documents.
    package init(_ documents: [MetadataDocument]) {
        fixed = documents
    }

    package func documents() async throws(ServerError) -> [MetadataDocument] { fixed }
}
