import Testing
import UAF

@testable import RelyingParty

@Suite("UAF Protocol 3.6.4.1: deregistration request")
struct DeregistrationPlanTests {
    private static let alice = AccountReference([1])
    private static let bob = AccountReference([2])
    private static let pin = AAID(vendor: VendorID(number: 0xF1D0), model: 0x1001)
    private static let face = AAID(vendor: VendorID(number: 0xF1D0), model: 0x1003)

    private static func candidate(
        _ number: UInt8, _ account: AccountReference, _ aaid: AAID
    ) throws -> DeregistrationPlan.Candidate {
        let keyID = try #require(KeyID([UInt8](repeating: number, count: 32)))
        return DeregistrationPlan.Candidate(
            registration: RegistrationReference([number]), account: account,
            id: CredentialID(aaid: aaid, keyID: keyID))
    }

    private func store() throws -> [DeregistrationPlan.Candidate] {
        [
            try Self.candidate(1, Self.alice, Self.pin), try Self.candidate(2, Self.alice, Self.face),
            try Self.candidate(3, Self.bob, Self.pin), try Self.candidate(4, Self.alice, Self.pin),
        ]
    }

    private func plan(
        _ scope: DeregistrationPlan.Scope, spelling: DeregistrationPlan.Spelling = .pairs
    ) throws -> DeregistrationPlan {
        DeregistrationPlan(
            scope, of: Self.alice, among: try store(), appID: AppID("https://uaf.example.com/facets"),
            spelling: spelling)
    }

    @Test("All credentials of the account are deleted and named, and no other's")
    func everything() throws {
        let plan = try plan(.everything)
        #expect(plan.deleted == [[1], [2], [4]].map { RegistrationReference($0) })
        let store = try store()
        #expect(plan.request?.authenticators == [store[0], store[1], store[3]].map { .key($0.id) })
        #expect(plan.request?.header.operation == .deregistration)
        #expect(plan.request?.header.appID == AppID("https://uaf.example.com/facets"))
    }

    @Test("The credentials of a model are deleted and named")
    func model() throws {
        #expect(try plan(.models([Self.pin])).deleted == [[1], [4]].map { RegistrationReference($0) })
        #expect(try plan(.models([])).request == nil)
    }

    @Test("Single credentials are deleted; other users' and unknown ones are left out")
    func keys() throws {
        let store = try store()
        let unknown = try Self.candidate(9, Self.alice, Self.face).id
        let plan = try plan(.credentials([store[1].id, store[2].id, unknown]))
        #expect(plan.deleted == [RegistrationReference([2])])
        #expect(plan.request?.authenticators == [.key(store[1].id)])
    }

    @Test("With nothing to delete there is no request")
    func nothing() throws {
        let plan = DeregistrationPlan(.everything, of: AccountReference([9]), among: try store(), appID: nil)
        #expect(plan.deleted.isEmpty)
        #expect(plan.request == nil)
    }

    @Test("The widest spelling is a single entry with empty strings, where the scope allows")
    func widest() throws {
        #expect(try plan(.everything, spelling: .widest).request?.authenticators == [.everything])
        #expect(try plan(.models([Self.pin]), spelling: .widest).request?.authenticators == [.allKeys(of: Self.pin)])
        let both = try plan(.models([Self.pin, Self.face]), spelling: .widest)
        #expect(both.request?.authenticators.count == 3)
    }
}
