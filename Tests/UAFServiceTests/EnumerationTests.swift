import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("SRV-10: It cannot be found out who has an account", .serialized)
struct EnumerationTests {
    /// Timings of each kind; with both kinds ten thousand.
    private static let rounds = 5_000

    /// Users with and without an account, so that nothing peculiar to one name decides.
    private static let names = (0..<16).map { (known: "jeff-\($0 + 10)", unknown: "mike-\($0 + 10)") }

    private let server: TestServer

    /// A server whose known users have an authenticator each.
    init() async throws {
        server = try await TestServer(authenticators: [SyntheticAuthenticator()])
        for name in Self.names {
            let user = try await server.services.users.add(name: name.known)
            try await server.register(SyntheticAuthenticator(), for: user)
        }
    }

    /// How long a request takes.
    private func time(of name: String) async throws -> Duration {
        let request = GetUAFRequest(AuthenticationContext(username: try server.name(name)))
        let clock = ContinuousClock()
        let start = clock.now
        let answer = try await server.services.authenticationRequests.issueRequest(
            request, entry: .service, authorization: .absent, client: ClientContext())
        let time = clock.now - start
        #expect(answer.message.statusCode == .ok)
        return time
    }

    /// How much more often the one is greater than the other than the reverse, from -1 to 1: Mann and Whitney's U,
    /// scaled (rank-biserial correlation).
    private static func effect(_ one: [Duration], _ other: [Duration]) -> Double {
        let all = (one.map { ($0, true) } + other.map { ($0, false) }).sorted { $0.0 < $1.0 }
        var ranks = 0.0
        var index = 0
        while index < all.count {
            let end = all[index...].firstIndex { $0.0 != all[index].0 } ?? all.count
            let rank = Double(index + end + 1) / 2
            ranks += rank * Double(all[index..<end].count { $0.1 })
            index = end
        }
        let (count, otherCount) = (Double(one.count), Double(other.count))
        let pairs = ranks - count * (count + 1) / 2
        return 2 * pairs / (count * otherCount) - 1
    }

    @Test("SRV-10: The measure tells what is slower from what is not")
    func measure() {
        let fast = (0..<1_000).map { Duration.milliseconds($0 * 7 % 1_000) }
        #expect(abs(Self.effect(fast, fast.reversed())) < 0.001)
        #expect(Self.effect(fast.map { $0 + .milliseconds(100) }, fast) > 0.1)
        #expect(Self.effect(fast, fast.map { $0 + .milliseconds(1_000) }) == -1)
    }

    @Test("SRV-10: A request takes as long for a user who does not exist as for one who does")
    func time() async throws {
        var known: [Duration] = []
        var unknown: [Duration] = []
        for round in 0..<Self.rounds {
            let name = Self.names[(round / 2) % Self.names.count]
            // In turns, and each first as often as second, so that what else the machine does falls on both.
            if round.isMultiple(of: 2) {
                known.append(try await time(of: name.known))
                unknown.append(try await time(of: name.unknown))
            } else {
                unknown.append(try await time(of: name.unknown))
                known.append(try await time(of: name.known))
            }
        }
        let effect = Self.effect(known, unknown)
        #expect(abs(effect) < 0.1, "\(effect)")
    }

    @Test("SRV-10: A redemption and the status say the same for what never was and for what has no user any more")
    func tokens() async throws {
        let answer = try await server.dispatch(Self.names[0].known, by: .link)
        let never = await server.redeem("00000000-0000-0000-0000-000000000000")
        #expect(never.statusCode == .notFound && never.uafRequest == nil)
        let session = try #require(answer.sessionID)
        server.clock.advance(by: .seconds(3_600))
        await server.services.maintain()
        #expect(try await server.status(session).status == .unknown)
        #expect(try await server.status("never").status == .unknown)
        #expect(await server.redeem(try #require(answer.token)).statusCode == .notFound)
    }
}
