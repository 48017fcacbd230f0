package import RelyingParty
import Synchronization
package import UAF

/// The authenticator models the server knows.
package final class MetadataService: Sendable {
    private struct Snapshot: Sendable {
        let catalog: MetadataCatalog
        let models: ModelCatalog
    }

    private let source: (any MetadataSource)?
    private let settings: UAFSettings
    private let current: Mutex<Snapshot>

    /// Knows the models of `standard`; with a source only those of its documents, once ``reload()`` has read them.
    package init(source: (any MetadataSource)?, standard: MetadataCatalog = .product, settings: UAFSettings) {
        self.source = source
        self.settings = settings
        current = Mutex(Self.snapshot(standard, settings))
    }

    /// The catalogue in use.
    package var catalog: MetadataCatalog { current.withLock { $0.catalog } }

    /// The same, prepared for judging.
    package var models: ModelCatalog { current.withLock { $0.models } }

    /// Reads the documents anew; the catalogue in use stays when one of them cannot be read.
    ///
    /// Throws ``ServerError/invalidMetadata(name:)``.
    package func reload() async throws(ServerError) {
        guard let source else { return }
        var catalog = MetadataCatalog([])
        for document in try await source.documents() {
            guard let read = try? MetadataCatalog(document: document.content) else {
                throw .invalidMetadata(name: document.name)
            }
            catalog = catalog.merging(read)
        }
        guard !catalog.statements.isEmpty else { throw .invalidMetadata(name: "metadata") }
        let fresh = Self.snapshot(catalog, settings)
        current.withLock { $0 = fresh }
    }

    private static func snapshot(_ catalog: MetadataCatalog, _ settings: UAFSettings) -> Snapshot {
        let statements = catalog.statements.map { statement in
            var statement = statement
            statement.additionalSigningProfiles += settings.additionalAlgorithms[statement.aaid] ?? []
            return statement
        }
        let extended = MetadataCatalog(statements)
        return Snapshot(catalog: extended, models: ModelCatalog(metadata: extended, revoked: settings.revokedAAIDs))
    }
}
