import CommandSupport
import DemoCommands
import Foundation
import TestSupport
import Testing
import UAF

/// A server on one data folder that is killed again and again while users work.
struct CrashRounds<User: CrashUser> {
    /// `SIGNET_CRASH_ROUNDS`: how often the server is killed; `script/soak crash` asks for more.
    private let count = SlowTests.size("SIGNET_CRASH_ROUNDS", sample: 3, whole: 10)
    /// `SIGNET_CRASH_SEED`: what decides after how many answers, and what the phones do.
    private let seed = ProcessInfo.processInfo.environment["SIGNET_CRASH_SEED"].flatMap { UInt64($0) } ?? 1
    private let installation: Installation

    let users: [User]

    /// Prepares a server with `further` settings, and `userCount` users that `make` makes of a name and a seed.
    init(_ userCount: Int, further: String = "", _ make: (String, UInt64) throws -> User) throws {
        installation = try Installation(settings: Self.settings + further)
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document)
            .write(to: installation.server.folder.appending(path: "metadata.json"))
        let seed = seed
        users = try (0..<userCount).map { try make("user\($0)", seed &* 1000 &+ UInt64($0)) }
    }

    /// Where files belong that the settings name.
    var folder: URL { installation.server.folder }

    /// Kills the server, each time after some of at most `answerLimit` answers, and gives the audit after a last time.
    func play(answerLimit: Int) async throws -> ServerAudit {
        let server = installation.server
        var process = try await server.start()
        for user in users { try await server.addUser(user.name, password: Installation.password) }
        let first = try LoadConnection(to: server, running: process)
        try await all { try await $0.begin(first) }
        let random = SeededRandom(seed: seed)
        for _ in 1...count {
            let answers = 1 + Int(random.bytes(count: 1)[0]) % answerLimit
            let load = try LoadConnection(to: server, running: process, killedAfter: answers)
            try await all { try await $0.work(load) }
            #expect(load.isCut, "the server fell silent before it was killed")
            process.kill()
            _ = await process.ending()
            process = try await server.start()
            let calm = try LoadConnection(to: server, running: process)
            try await all { try await $0.recover(calm) }
        }
        let calm = try LoadConnection(to: server, running: process)
        try await all { try await $0.settle(calm) }
        process.kill()
        _ = await process.ending()
        return try await ServerAudit(of: server)
    }

    /// Demands that no challenge was accepted twice, and that phones and audit count the same.
    func requireAgreement(with audit: ServerAudit) async {
        var acceptedCount = 0
        for user in users { acceptedCount += await user.acceptedCount }
        #expect(acceptedCount > count, "the server was hardly used")
        #expect(audit.successes.values.allSatisfy { $0 == 1 }, "a challenge was accepted twice")
        #expect(audit.successes.count == acceptedCount, "the audit and the phones count differently")
    }

    private func all(_ body: @escaping @Sendable (User) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users { group.addTask { try await body(user) } }
            try await group.waitForAll()
        }
    }

    /// Phones without passwords, and no limit on how fast they may be.
    private static var settings: String {
        """
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
}
