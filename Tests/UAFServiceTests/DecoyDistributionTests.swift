import BackendAPI
import Crypto
import TestSupport
import Testing
import UAF

@testable import ServerCore
@testable import UAFService

@Suite("SRV-10: Decoys look like the users of the installation (S-M2)")
struct DecoyDistributionTests {
    private static let names = (0..<60).map { "absent-\($0)" }

    private let models: [SyntheticAuthenticator]
    private let server: TestServer

    /// A server with three models; most users hold two of them, some the third.
    init() async throws {
        models = try ["FFFF#FC01", "FFFF#FC0D", "FFFF#FC0E"].map {
            try SyntheticAuthenticator(aaid: try #require(AAID($0)))
        }
        server = try await TestServer(authenticators: models)
        for number in 0..<12 {
            let user = try await server.services.users.add(name: "user-\(number)")
            for model in number < 9 ? Array(models.prefix(2)) : [models[2]] {
                try await server.register(SyntheticAuthenticator(aaid: model.aaid), for: user)
            }
        }
        await server.services.maintain()
    }

    /// The models of the alternatives of a request, in order.
    private func shape(_ name: String, on server: TestServer? = nil) async throws -> String {
        try await policy(name, on: server).accepted
            .map {
                $0.map { ($0.aaids ?? []).map(\.text).joined(separator: ",") + "/\($0.keyIDs?.count ?? 0)" }.joined()
            }
            .joined(separator: " ")
    }

    private func policy(_ name: String, on server: TestServer? = nil) async throws -> Policy {
        try await (server ?? self.server).authenticationRequest(for: name).policy
    }

    @Test("Identity and keys of a name without a user are codes of a label under the secret, each time the same")
    func derivation() throws {
        let secret = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
        let (decoy, name) = (Decoy(secret: secret), try #require(UserName("mike")))
        func code(_ label: String, _ octets: [UInt8]) -> [UInt8] {
            Array(HMAC<SHA256>.authenticationCode(for: Array("signet decoy \(label) ".utf8) + octets, using: secret))
        }
        for _ in 0..<2 {
            let user = decoy.userID(named: name)
            #expect(user.octets == Array(code("user", Array("mike".utf8)).prefix(UserID.byteCount)))
            let aaid = models[0].metadata.aaid
            let keys = decoy.keys(of: user, on: [aaid, aaid]).map(\.keyID.octets)
            #expect(keys == [code("key", user.octets), code("key 1", user.octets)])
        }
    }

    @Test("S-M2: Names without an account show the shapes of users, one and two keys, and as often")
    func shapes() async throws {
        var known: [String: Int] = [:]
        for number in 0..<12 { known[try await shape("user-\(number)"), default: 0] += 1 }
        var unknown: [String: Int] = [:]
        for name in Self.names { unknown[try await shape(name), default: 0] += 1 }
        #expect(known.count == 2)
        #expect(Set(unknown.keys) == Set(known.keys))
        let pairs = try #require(known.first { $0.value == 9 }?.key)
        #expect((30...57).contains(unknown[pairs] ?? 0), "about three of four: \(unknown)")
        let lengths = try await (Self.names + ["user-0", "user-11"]).asyncLengths(on: server)
        #expect(lengths.count == 2, "the length of a request says how many keys, which decoys have alike")
    }

    @Test("S-M2: A name keeps its answer over refreshes, restarts and processes, while the distribution is the same")
    func stability() async throws {
        var before: [String: Policy] = [:]
        for name in Self.names { before[name] = try await policy(name) }
        server.clock.advance(by: .seconds(7_200))
        await server.services.maintain()
        let second = try await TestServer(authenticators: models, store: .of(server)) { $0.instanceName = "second" }
        for name in Self.names {
            #expect(try await policy(name) == before[name])
            #expect(try await shape(name, on: second) == shape(name))
        }
    }

    @Test("S-M2: When the users have become others, names without an account look like them from the next refresh on")
    func refreshed() async throws {
        for number in 12..<60 {
            let user = try await server.services.users.add(name: "user-\(number)")
            try await server.register(SyntheticAuthenticator(aaid: models[2].aaid), for: user)
        }
        let pairs = try await shape("user-0")
        let before = try await Self.names.asyncCount { try await shape($0) == pairs }
        server.clock.advance(by: .seconds(7_200))
        await server.services.maintain()
        let after = try await Self.names.asyncCount { try await shape($0) == pairs }
        #expect(after < before / 2, "\(before), \(after)")
    }

    @Test("S-M2: When a model is revoked, names without an account show it no more, as users do not")
    func revoked() async throws {
        let pairs = try await shape("user-0")
        #expect(try await Self.names.asyncCount { try await shape($0) == pairs } > 0)
        let acceptance = server.services.acceptance
        var settings = server.services.settings.uaf
        settings.revokedAAIDs = [models[0].aaid]
        try await acceptance.replace(with: Acceptance(metadata: acceptance.current.metadata, settings: settings))
        for name in Self.names + ["user-0"] {
            let named = try await policy(name).accepted.joined().flatMap { $0.aaids ?? [] }
            #expect(!named.contains(models[0].aaid), "\(name)")
        }
    }

    @Test("S-M2: When the users have become others only the share of names moves that has to")
    func movement() throws {
        let (a, b) = ([models[0].aaid], [models[0].aaid, models[1].aaid])
        let old = DecoyDistribution(sampling: Array(repeating: a, count: 50) + Array(repeating: b, count: 50))
        let new = DecoyDistribution(sampling: Array(repeating: a, count: 60) + Array(repeating: b, count: 40))
        #expect(abs(new.distance(to: old) - 0.1) < 0.01)
        let seeds = (0..<2_000).map { UInt64($0) &* 0xD134_2543_DE82_EF95 &+ 7 }
        let moved = seeds.filter { old.profile(drawnBy: $0)?.models != new.profile(drawnBy: $0)?.models }
        #expect((100...320).contains(moved.count), "about a tenth: \(moved.count)")
        #expect(moved.allSatisfy { new.profile(drawnBy: $0)?.models == a }, "none moves against the trend")
        let ones = seeds.count { old.profile(drawnBy: $0)?.models == a }
        #expect((850...1_150).contains(ones), "half of all: \(ones)")
    }

    @Test("S-M2: A small change of the users changes no answer")
    func hysteresis() async throws {
        var before: [String: String] = [:]
        for name in Self.names { before[name] = try await shape(name) }
        let user = try await server.services.users.add(name: "one-more")
        try await server.register(SyntheticAuthenticator(aaid: models[2].aaid), for: user)
        server.clock.advance(by: .seconds(3_600))
        await server.services.maintain()
        for name in Self.names { #expect(try await shape(name) == before[name]) }
    }
}

extension [String] {
    /// Number of the names of which a condition holds.
    fileprivate func asyncCount(_ holds: (String) async throws -> Bool) async throws -> Int {
        var count = 0
        for name in self where try await holds(name) { count += 1 }
        return count
    }

    /// The lengths of the requests for these names, but for their own letters.
    fileprivate func asyncLengths(on server: TestServer) async throws -> Set<Int> {
        var lengths: Set<Int> = []
        for name in self {
            lengths.insert(
                OperationRequest.authentication(try await server.authenticationRequest(for: name)).message.count)
        }
        return lengths
    }
}
