import Foundation
import SignetCommands
import TestSupport
import Testing
import UAF

@Suite("SRV-REL-1: a server that is killed under load", .serialized)
struct ServerCrashUnderLoadTests {
    /// Each works by itself, so this many requests are under way when the server dies.
    private static let userCount = 8

    /// `SIGNET_CRASH_ROUNDS`: how often the server is killed; `script/soak crash` asks for more.
    private static let rounds = number("SIGNET_CRASH_ROUNDS") ?? 10
    /// `SIGNET_CRASH_SEED`: what decides after how many answers, and what the phones do.
    private static let seed = UInt64(number("SIGNET_CRASH_SEED") ?? 1)

    @Test("No acknowledged registration is lost and no response accepted twice, however often it is killed")
    func keepsItsWord() async throws {
        let installation = try Installation(settings: Self.settings)
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document)
            .write(to: installation.server.folder.appending(path: "metadata.json"))
        var process = try await installation.server.start()
        let users = try (0..<Self.userCount).map { try LoadUser("user\($0)", seed: Self.seed &* 1000 &+ UInt64($0)) }
        for user in users { try await installation.server.addUser(user.name, password: Installation.password) }
        let first = try LoadConnection(to: installation.server, running: process)
        try await Self.all(users) { try await $0.begin(first) }
        let random = SeededRandom(seed: Self.seed)
        for _ in 1...Self.rounds {
            let answers = 1 + Int(random.bytes(count: 1)[0]) % 48
            let load = try LoadConnection(to: installation.server, running: process, killedAfter: answers)
            try await Self.all(users) { try await $0.work(load) }
            #expect(load.isCut, "the server fell silent before it was killed")
            process.kill()
            _ = await process.ending()
            process = try await installation.server.start()
            let calm = try LoadConnection(to: installation.server, running: process)
            try await Self.all(users) { try await $0.recover(calm) }
        }
        let calm = try LoadConnection(to: installation.server, running: process)
        try await Self.all(users) { try await $0.settle(calm) }
        var acceptedCount = 0
        for user in users { acceptedCount += await user.acceptedCount }
        #expect(acceptedCount > Self.rounds, "the server was hardly used")
        process.stop()
        _ = await process.ending()
        let audit = try await ServerAudit(of: installation.server)
        #expect(audit.successes.values.allSatisfy { $0 == 1 }, "a challenge was accepted twice")
        #expect(audit.successes.count == acceptedCount, "the audit and the phones count differently")
    }

    private static func all(
        _ users: [LoadUser], _ body: @escaping @Sendable (LoadUser) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users { group.addTask { try await body(user) } }
            try await group.waitForAll()
        }
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Phones without passwords, and no limit on how fast they may be.
    private static let settings = """
        fido-uaf:
          metadata: { path: metadata.json }
        authorization:
          registration: none
          max-credentials: 100
        server:
          rate-limit:
            per-address: { per-second: 1000000, burst: 1000000 }
            per-user: { per-second: 1000000, burst: 1000000 }

        """
}
