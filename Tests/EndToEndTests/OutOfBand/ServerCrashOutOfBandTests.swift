import BackendAPI
import Foundation
import SignetCommands
import TestSupport
import Testing
import UAF

@Suite("SRV-REL-1: a server that is killed under load out of band", .serialized)
struct ServerCrashOutOfBandTests {
    /// Each works by itself, with two phones, so twice as many requests are under way when the server dies.
    private static let userCount = 6

    /// `SIGNET_CRASH_ROUNDS`: how often the server is killed; `script/soak crash` asks for more.
    private static let rounds = number("SIGNET_CRASH_ROUNDS") ?? 10
    /// `SIGNET_CRASH_SEED`: what decides after how many answers, and what the phones do.
    private static let seed = UInt64(number("SIGNET_CRASH_SEED") ?? 1)

    @Test("No token is redeemed twice and no acknowledged result lost; what cannot be ended can be started again")
    func keepsItsWord() async throws {
        let installation = try Installation(settings: Self.settings)
        let files = installation.server.folder
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document)
            .write(to: files.appending(path: "metadata.json"))
        let key = files.appending(path: "portal.key")
        try Data(Portal.accessKey.utf8).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path())
        var process = try await installation.server.start()
        let users = try (0..<Self.userCount).map {
            try OutOfBandLoadUser("user\($0)", seed: Self.seed &* 1000 &+ UInt64($0))
        }
        for user in users { try await installation.server.addUser(user.name, password: Installation.password) }
        let random = SeededRandom(seed: Self.seed)
        for _ in 1...Self.rounds {
            let answers = 1 + Int(random.bytes(count: 1)[0]) % 64
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
        process.stop()
        _ = await process.ending()
        try await Self.compare(users, try await ServerAudit(of: installation.server))
    }

    /// What the phones were told and what the audit says has to be the same.
    private static func compare(_ users: [OutOfBandLoadUser], _ audit: ServerAudit) async throws {
        var acceptedCount = 0
        for user in users {
            acceptedCount += await user.acceptedCount
            for session in await user.redeemedSessions {
                #expect(audit.redemptions[session] == 1, "a redemption that was confirmed is not in the audit")
            }
        }
        #expect(acceptedCount > rounds, "the server was hardly used")
        #expect(audit.redemptions.values.allSatisfy { $0 == 1 }, "a token was redeemed twice")
        #expect(audit.successes.values.allSatisfy { $0 == 1 }, "a challenge was accepted twice")
        #expect(audit.successes.count == acceptedCount, "the audit and the phones count differently")
    }

    private static func all(
        _ users: [OutOfBandLoadUser], _ body: @escaping @Sendable (OutOfBandLoadUser) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users { group.addTask { try await body(user) } }
            try await group.waitForAll()
        }
    }

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Phones without passwords, no limit on how fast they may be, and results that are kept for the whole test.
    private static let settings = """
        fido-uaf:
          metadata: { path: metadata.json }
        authorization:
          registration: none
          max-credentials: 100
        out-of-band:
          access-keys: [{ name: portal, key-file: portal.key }]
          status-retention: 60m
        server:
          rate-limit:
            per-address: { per-second: 1000000, burst: 1000000 }
            per-user: { per-second: 1000000, burst: 1000000 }

        """
}
