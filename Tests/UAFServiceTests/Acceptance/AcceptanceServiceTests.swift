import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Acceptance: models, applications and policies change while the server runs")
struct AcceptanceServiceTests {
    private let old: SyntheticAuthenticator
    private let new: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        old = try SyntheticAuthenticator()
        new = try SyntheticAuthenticator(aaid: try #require(AAID("FFFF#FC0D")))
        server = try await TestServer(authenticators: [old])
        user = try await server.services.users.add(name: "jeff")
    }

    private func acceptance(
        of authenticators: [SyntheticAuthenticator], change: (inout UAFSettings) -> Void = { _ in }
    ) throws -> Acceptance {
        let catalog = MetadataCatalog(authenticators.map(\.metadata))
        var settings = server.services.settings.uaf
        settings.policies = try PolicyCatalog(acceptingModelsOf: catalog)
        change(&settings)
        return try Acceptance(metadata: catalog, settings: settings)
    }

    private func replace(with authenticators: [SyntheticAuthenticator]) async throws -> AcceptanceChange {
        try await server.services.acceptance.replace(with: acceptance(of: authenticators))
    }

    @Test("A model that was added can be registered, and could not before")
    func added() async throws {
        #expect(try await server.register(new, for: user) != .ok)
        let change = try await replace(with: [old, new])
        #expect(change.addedModels == [new.aaid])
        #expect(change.changedPolicies == [.standard])
        #expect(try await server.register(new, for: user) == .ok)
        #expect(try await server.authenticate("jeff", with: new).message.statusCode == .ok)
    }

    @Test("A model that was removed is refused, for new keys and for registered ones")
    func removed() async throws {
        #expect(try await server.register(old, for: user) == .ok)
        let login = try await server.authenticationRequest(for: nil)
        let change = try await replace(with: [new])
        #expect(change.removedModels == [old.aaid])
        let answer = await server.answerAuthentication(try server.client.answer(login, with: [old]))
        #expect(answer.message.statusCode == .unknownAAID)
        #expect(try await server.register(try SyntheticAuthenticator(), for: user) == .unknownAAID)
    }

    @Test("A request that was sent before is judged by the policy it named")
    func underWay() async throws {
        let request = try await server.registrationRequest(for: user)
        _ = try await replace(with: [old, new])
        #expect(await server.answerRegistration(try server.client.answer(request, with: [old])) == .ok)
    }

    @Test("A revocation holds at once, and is taken back as well")
    func revocation() async throws {
        #expect(try await server.register(old, for: user) == .ok)
        let revoking = try acceptance(of: [old]) { $0.revokedAAIDs = [old.aaid] }
        #expect(try await server.services.acceptance.replace(with: revoking).changedRevocations == [old.aaid])
        let login = try await server.authenticationRequest(for: nil)
        let refused = await server.answerAuthentication(try server.client.answer(login, with: [old]))
        #expect(refused.message.statusCode == .revokedAuthenticator)
        _ = try await replace(with: [old])
        #expect(try await server.authenticate("jeff", with: old).message.statusCode == .ok)
    }

    @Test("Another list of applications holds for the next answer, and not for applications that left it")
    func facets() async throws {
        let other = try #require(FacetID("ios:bundle-id:com.example.other"))
        let request = try await server.registrationRequest(for: user)
        let newcomer = SyntheticClient(facet: other)
        #expect(await server.answerRegistration(try newcomer.answer(request, with: [old])) == .unacceptableContent)
        let change = try await server.services.acceptance.replace(with: acceptance(of: [old]) { $0.facets = [other] })
        #expect(change.addedFacets == [other])
        #expect(change.removedFacets.map(\.text) == [TestServer.facet])
        let answer = try server.client.answer(request, with: [old])
        #expect(await server.answerRegistration(answer) == .unacceptableContent)
        #expect(await server.answerRegistration(try newcomer.answer(request, with: [old])) == .ok)
    }

    @Test("Without facets there is no acceptance")
    func noFacets() {
        #expect(throws: ServerError.invalidSetting(name: "facets")) { try acceptance(of: [old]) { $0.facets = [] } }
    }

    @Test("When the policies cannot be kept, everything stays as it was")
    func databaseFails() async throws {
        server.database.set { $0.failsCommits = true }
        await #expect(throws: ServerError.storageUnavailable) { try await replace(with: [new]) }
        server.database.set { $0.failsCommits = false }
        #expect(server.services.acceptance.current.metadata[new.aaid] == nil)
        #expect(try await server.register(old, for: user) == .ok)
    }

    @Test("The same again is no change")
    func same() async throws {
        #expect(try await replace(with: [old]).isEmpty)
        var renamed = old.metadata
        renamed.description = "renamed"
        let settings = server.services.settings.uaf
        let fresh = try Acceptance(metadata: MetadataCatalog([renamed]), settings: settings)
        #expect(try await server.services.acceptance.replace(with: fresh).changedModels == [old.aaid])
    }

    @Test("Additional algorithms of the configuration are added to the model")
    func additionalAlgorithms() throws {
        let acceptance = try acceptance(of: [old]) { $0.additionalAlgorithms = [old.aaid: [.rsa]] }
        #expect(acceptance.metadata[old.aaid]?.authenticationAlgorithms.contains(.rsaPKCS1SHA256DER) == true)
    }

    @Test("Requests at the same time see one whole acceptance, never half of two")
    func concurrent() async throws {
        let other = try #require(FacetID("ios:bundle-id:com.example.other"))
        let one = try acceptance(of: [old])
        let two = try acceptance(of: [new]) { $0.facets = [other] }
        let services = server.services
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<200 { try await services.acceptance.replace(with: round % 2 == 0 ? two : one) }
            }
            for _ in 0..<4 {
                group.addTask { [server, user, old] in
                    for _ in 0..<50 {
                        let seen = services.acceptance.current
                        #expect((seen.metadata[old.aaid] == nil) == (seen.facets == [other]))
                        let offered = try await server.registrationRequest(for: user).policy.accepted
                        #expect(offered.count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
