import RelyingParty
import ServerCore
import TestSupport
import Testing
import UAF

@Suite("Metadata service")
struct MetadataServiceTests {
    private let first: SyntheticAuthenticator
    private let second: SyntheticAuthenticator
    private let settings: UAFSettings

    init() throws {
        first = try SyntheticAuthenticator()
        second = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        settings = UAFSettings(
            appID: try #require(AppID(TestServer.appID)), facets: [try #require(FacetID(TestServer.facet))],
            policies: try PolicyCatalog(acceptingModelsOf: .product))
    }

    private func document(_ statements: [MetadataStatement], name: String = "file") -> MetadataDocument {
        MetadataDocument(name: name, content: MetadataCatalog(statements).document)
    }

    @Test("Without a source the product's own catalogue is used")
    func standard() async throws {
        let service = MetadataService(source: nil, settings: settings)
        try await service.reload()
        #expect(service.catalog == .product)
        #expect(service.catalog[try #require(AAID("F1D0#1001"))] != nil)
    }

    @Test("Documents are merged, later ones win")
    func merging() async throws {
        var changed = first.metadata
        changed.description = "changed"
        let source = FixedMetadataSource([document([first.metadata, second.metadata]), document([changed])])
        let service = MetadataService(source: source, settings: settings)
        try await service.reload()
        #expect(service.catalog.statements.count == 2)
        #expect(service.catalog[first.aaid]?.description == "changed")
        #expect(service.models[second.aaid] != nil)
    }

    @Test("A document that cannot be read is named, and the catalogue in use stays")
    func unreadable() async throws {
        let source = FixedMetadataSource([
            document([first.metadata]), MetadataDocument(name: "bad.json", content: [0x7B]),
        ])
        let service = MetadataService(source: source, settings: settings)
        await #expect(throws: ServerError.invalidMetadata(name: "bad.json")) { try await service.reload() }
        #expect(service.catalog == .product)
    }

    @Test("A source without statements is refused")
    func empty() async throws {
        let service = MetadataService(source: FixedMetadataSource([]), settings: settings)
        await #expect(throws: ServerError.invalidMetadata(name: "metadata")) { try await service.reload() }
    }

    @Test("Additional algorithms of the configuration are added to the model")
    func additionalAlgorithms() async throws {
        var settings = settings
        settings.additionalAlgorithms = [first.aaid: [.rsa]]
        let service = MetadataService(source: FixedMetadataSource([document([first.metadata])]), settings: settings)
        try await service.reload()
        #expect(service.catalog[first.aaid]?.authenticationAlgorithms.contains(.rsaPKCS1SHA256DER) == true)
    }
}
