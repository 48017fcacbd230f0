import ServerCore
import UAF

/// Metadata statements in files.
struct FileMetadataSource: MetadataSource {
    let paths: [String]
    let files: PosixFiles

    func documents() async throws(ServerError) -> [MetadataDocument] {
        var documents: [MetadataDocument] = []
        for path in paths {
            guard let content = files.contents(of: path) else { throw .invalidMetadata(name: path) }
            documents.append(MetadataDocument(name: path, content: content))
        }
        return documents
    }

    /// The statements of all files, or those of the product when there are no files.
    func catalog() async throws(ServerError) -> MetadataCatalog {
        guard !paths.isEmpty else { return .product }
        var catalog = MetadataCatalog([])
        for document in try await documents() {
            guard let read = try? MetadataCatalog(document: document.content) else {
                throw .invalidMetadata(name: document.name)
            }
            catalog = catalog.merging(read)
        }
        return catalog
    }
}
