import BackendAPI
import ServerCore
import Testing
import UAF
import UAFService

@Suite("Versions of applications in use")
struct ApplicationUseTests {
    @Test(
        "A hundred versions of an application are counted by themselves, and all later ones as one; each other one apart"
    )
    func limit() throws {
        let use = ApplicationUse(since: Timestamp(milliseconds: 7))
        let (facet, other) = (try #require(FacetID("ios:bundle-id:a")), try #require(FacetID("ios:bundle-id:b")))
        for number in 1...(ApplicationUse.versionLimit + 5) {
            use.count(try #require(ApplicationVersion("1.\(number)")), of: facet)
        }
        use.count(try #require(ApplicationVersion("1.100.0")), of: facet)
        let counts = use.counts(of: facet)
        #expect(counts.count == 101 && counts.first?.version?.text == "1.100" && counts.first?.count == 2)
        #expect(counts.last?.version == nil && counts.last?.count == 5)
        #expect(use.counts(of: other).isEmpty && use.since == Timestamp(milliseconds: 7))
    }
}
