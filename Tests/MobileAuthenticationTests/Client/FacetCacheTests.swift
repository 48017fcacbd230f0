import BackendTransport
import Locking
import Testing
import UAF
import UAFClient

@testable import MobileAuthentication

@Suite("Lists of trusted facets that are kept")
struct FacetCacheTests {
    /// Server that trusts every application that asks, at every address.
    private final class Lists: HTTPTransport {
        private let fetched = Lock<[String]>([])
        let lifetime: String
        private let facetID: String

        init(lifetime: String, facetID: String) {
            self.lifetime = lifetime
            self.facetID = facetID
        }

        var count: Int { fetched.withLock { $0.count } }

        func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
            fetched.withLock { $0.append(request.url) }
            let list = #"{"trustedFacets":[{"version":{"major":1,"minor":1},"ids":["\#(facetID)"]}]}"#
            return BackendResponse(
                status: 200,
                headers: [
                    HeaderFields.Field("Content-Type", "application/fido.trusted-apps+json"),
                    HeaderFields.Field("Cache-Control", lifetime),
                ], body: Array(list.utf8))
        }
    }

    private func trust(_ lists: Lists) throws -> (FacetTrust, ManualClock) {
        let clock = ManualClock()
        let facetID = try #require(FacetID("ios:bundle-id:com.example.app"))
        return (
            FacetTrust(facetID: facetID, transport: lists, clock: clock, networkTimeout: .seconds(10)), clock
        )
    }

    private func ask(_ trust: FacetTrust, _ number: Int) async throws {
        let appID = AppID("https://server.example/facets?n=\(number)")
        let verdict = await trust.verdict(on: OperationHeader(operation: .registration, appID: appID))
        guard case .trusted = verdict else {
            Issue.record("\(verdict)")
            return
        }
    }

    @Test("A server that names a new address in each operation fills no memory, and a list that is fresh is kept")
    func limit() async throws {
        let lists = Lists(lifetime: "max-age=60", facetID: "ios:bundle-id:com.example.app")
        let (trust, clock) = try trust(lists)
        for number in 0..<100 { try await ask(trust, number) }
        #expect(trust.cachedCount == FacetTrust.cacheLimit)
        try await ask(trust, 99)
        #expect(lists.count == 100)
        clock.jump(by: .seconds(61))
        try await ask(trust, 99)
        #expect(lists.count == 101 && trust.cachedCount == 1)
    }

    @Test("A list that may not be kept is not")
    func uncached() async throws {
        let lists = Lists(lifetime: "no-store", facetID: "ios:bundle-id:com.example.app")
        let (trust, _) = try trust(lists)
        for _ in 0..<2 { try await ask(trust, 1) }
        #expect(lists.count == 2 && trust.cachedCount == 0)
    }
}
