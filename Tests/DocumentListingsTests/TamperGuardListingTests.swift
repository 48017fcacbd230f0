import DocumentListings
import TamperGuards
import Testing

@Suite("The listings of the guards do what the documentation says")
struct TamperGuardListingTests {
    @Test("A policy is changed for one kind, and the others stay")
    func policy() {
        let policy = TamperGuardListings.policy()
        #expect(policy[.debugger] == .throwError && policy[.hook] == .crash)
        #expect(policy.allowances.objects == ["/usr/lib/libjemalloc.so"])
    }

    @Test("A finding and a guard of one's own are made")
    func values() {
        #expect(TamperGuardListings.finding().weight == 50)
        #expect(TamperGuardListings.guardOfOnesOwn.inspect(.operation) == .clear)
        #expect(TamperGuardListings.guardOfOnesOwn.inspect(.round).unknown.count == 1)
    }
}
