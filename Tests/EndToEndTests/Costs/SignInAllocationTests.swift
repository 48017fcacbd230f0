import TestSupport
import Testing
import UAF

@Suite("A sign-in takes no more pieces of the server's memory than its budget")
struct SignInAllocationTests {
    /// Pieces of a sign-in from one phone at a time, in both requests and the commit, by the program that is built for tests.
    ///
    /// It takes some 4,200 on a quiet machine, some 250 more beside much other work; a release takes fewer. It took
    /// some 3,500 before names were sealed in the audit and settings were taken up while the server runs.
    /// If you need more, say here why; if you need fewer, lower the number, or the test fails.
    private static let budget = 4_600

    @Test("Both requests and the commit stay within the budget, and a fifth more is beyond it")
    func budget() async throws {
        let server = try await CountedServer(users: ["anna"])
        let (anna, phone) = (try #require(UserName("anna")), try SyntheticAuthenticator())
        let isRegistered = try await server.phones.register(phone, server.phones.registrationRequest(anna, .noSender))
        #expect(isRegistered)
        func signIn() async throws {
            _ = try #require(await server.phones.signIn(phone, server.phones.authenticationRequest(anna)))
        }
        let count = try await server.pieces { try await signIn() }
        #expect(count <= Self.budget, "a sign-in takes \(count) pieces, its budget is \(Self.budget)")
        #expect(count * 6 / 5 > Self.budget, "a sign-in takes \(count) pieces, its budget is \(Self.budget)")
        let more = try await server.pieces {
            try await signIn()
            _ = try await server.phones.authenticationRequest(anna)
        }
        #expect(more > count + 100, "one request more is counted: \(more) after \(count)")
    }
}
