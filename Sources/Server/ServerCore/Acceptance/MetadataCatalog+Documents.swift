package import UAF

extension MetadataCatalog {
    /// Reads documents that together state each model once.
    ///
    /// Throws ``ServerError/invalidMetadata(name:_:)``.
    package init(documents: [MetadataDocument]) throws(ServerError) {
        var statements: [MetadataStatement] = []
        var models: Set<AAID> = []
        for document in documents {
            let read: [MetadataStatement]
            do throws(MessageError) {
                read = try Self.statements(in: document.content)
            } catch {
                throw .invalidMetadata(name: document.name, .malformed(error))
            }
            for statement in read where !models.insert(statement.aaid).inserted {
                throw .invalidMetadata(name: document.name, .duplicate(statement.aaid))
            }
            statements += read
        }
        guard !statements.isEmpty else {
            throw .invalidMetadata(name: documents.map(\.name).joined(separator: ", "), .empty)
        }
        self.init(statements)
    }
}
