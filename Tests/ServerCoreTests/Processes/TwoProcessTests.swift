import BackendAPI
import ServerPersistence
import Synchronization
import TestSupport
import Testing
import UAF

@testable import OpenID
@testable import ServerCore
@testable import UAFService

@Suite("Two server processes on one database")
struct TwoProcessTests {
    private let link = ProcessLink()
    private let phone: SyntheticAuthenticator

    init() throws {
        phone = try SyntheticAuthenticator()
    }

    private func servers(
        change: (inout ServerSettings) throws -> Void = { _ in }
    ) async throws -> (first: TestServer, second: TestServer) {
        let first = try await TestServer(authenticators: [phone], processes: link.ports(), change: change)
        let second = try await TestServer(
            authenticators: [phone], store: .of(first), processes: link.ports(leadership: ProcessLink.Follower()),
            change: change)
        return (first, second)
    }

    private func withPasswords(_ settings: inout ServerSettings) {
        var login = PasswordLoginSettings()
        login.cost = .cheapest
        settings.passwordLogin = login
    }

    // MARK: - Passwords

    private func attempt(_ server: TestServer, _ password: String, name: String = "jeff") async -> ServerError? {
        guard let login = server.services.passwordLogin else { return .notConfigured }
        do throws(ServerError) {
            _ = try await login.logIn(name: name, password: password, client: ClientContext(address: "192.0.2.1"))
            return nil
        } catch {
            return error
        }
    }

    @Test("Of two hundred wrong passwords, half of them at each process, five are heard")
    func guesses() async throws {
        let (first, second) = try await servers(change: withPasswords)
        _ = try await first.services.users.add(name: "jeff", externalID: "ext", password: "correct horse")
        let heard = await withTaskGroup(of: ServerError?.self) { group in
            for number in 0..<200 {
                group.addTask { await attempt(number.isMultiple(of: 2) ? first : second, "wrong") }
            }
            return await group.reduce(0) { $0 + ($1 == .unauthorized ? 1 : 0) }
        }
        #expect(heard == 5)
        for server in [first, second] {
            #expect(await attempt(server, "correct horse") == .throttled(retryAfter: .seconds(300)))
        }
        first.clock.advance(by: .seconds(300))
        for server in [first, second] { #expect(await attempt(server, "correct horse") == nil) }
    }

    @Test("Failures at one process are forgotten by a success at the other")
    func forgiveness() async throws {
        let (first, second) = try await servers(change: withPasswords)
        _ = try await first.services.users.add(name: "jeff", externalID: "ext", password: "correct horse")
        for _ in 0..<3 {
            for _ in 0..<4 { #expect(await attempt(first, "wrong") == .unauthorized) }
            #expect(await attempt(second, "correct horse") == nil)
        }
    }

    @Test("An attempt whose process is killed while the password is checked stays counted, until its time is over")
    func killedWhileChecking() async throws {
        let (first, second) = try await servers(change: withPasswords)
        _ = try await first.services.users.add(name: "jeff", externalID: "ext", password: "correct horse")
        let settings = try #require(first.services.settings.passwordLogin)
        let throttle = PasswordThrottle(settings, first.storage.transactions)
        let counted = PasswordThrottle.Attempt(name: try #require(UserName("jeff")), address: "192.0.2.1")
        for _ in 0..<5 { try await throttle.begin(counted, at: first.clock.now()) }
        #expect(await attempt(second, "correct horse") == .throttled(retryAfter: .seconds(300)))
        first.clock.advance(by: .seconds(300))
        #expect(await attempt(second, "correct horse") == nil)
    }

    @Test("Attempts that count no more are forgotten by the process that leads, and no name stands in the table")
    func forgottenAttempts() async throws {
        let (first, second) = try await servers(change: withPasswords)
        _ = await attempt(first, "wrong", name: "hunter2")
        let kept = try await first.storage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.attempts(AttemptKey(of: Array("4:name7:hunter2".utf8)))
        }
        #expect(kept?.count == 1)
        first.clock.advance(by: .seconds(3_601))
        await second.services.maintain()
        #expect(try await removableAttempts(first) == 3)
        await first.services.maintain()
        #expect(try await removableAttempts(first) == 0)
    }

    /// Rows that a round of the maintenance would forget; none of them is forgotten by this.
    private func removableAttempts(_ server: TestServer) async throws -> Int {
        let now = server.clock.now()
        let removed = Mutex(0)
        _ = try? await server.storage.transaction { transaction throws(ServerTransactionFailure) in
            let count = try transaction.removeAttempts(begunBefore: now, limit: 100)
            removed.withLock { $0 = count }
            throw ServerTransactionFailure(ServerError.storageUnavailable)
        }
        return removed.withLock { $0 }
    }

    // MARK: - Keys

    @Test("Two processes that find the keys a day old at the same time make new ones once")
    func rotation() async throws {
        let first = try await TestServer(authenticators: [phone], processes: link.ports())
        let second = try await TestServer(authenticators: [phone], store: .of(first), processes: link.ports())
        let before = try await first.storage.keys.keys().count
        for day in 1...5 {
            first.clock.advance(by: KeyService.rotationInterval)
            async let one: Void = first.services.keys.maintain()
            async let two: Void = second.services.keys.maintain()
            _ = try await (one, two)
            let made = try await first.auditKinds().count { $0 == "ADMIN_KEYS_ROTATED" }
            #expect(made == day)
        }
        #expect(try await first.storage.keys.keys().count <= before + 2 * KeyPurpose.rotating.count)
    }

    @Test("Two processes have the same secret for TLS session tickets, also after all keys were replaced")
    func ticketSecret() async throws {
        let (first, second) = try await servers()
        #expect(try first.services.keys.ticketSecret() == second.services.keys.ticketSecret())
        try await first.services.replaceKeys()
        await second.services.maintain()
        #expect(try first.services.keys.ticketSecret() == second.services.keys.ticketSecret())
    }

    @Test("A process that does not lead reads the keys and rotates none")
    func follower() async throws {
        let (first, second) = try await servers()
        first.clock.advance(by: KeyService.rotationInterval)
        await second.services.maintain()
        #expect(try await !first.auditKinds().contains("ADMIN_KEYS_ROTATED"))
        #expect(!second.services.maintenance.isLeading)
        await first.services.maintain()
        #expect(try await first.auditKinds().contains("ADMIN_KEYS_ROTATED"))
        #expect(first.services.maintenance.isLeading)
    }

    @Test(
        "Keys that one process replaces are used by the other at once, before it looks by itself",
        .timeLimit(.minutes(10)))
    func replacedKeys() async throws {
        let (first, second) = try await servers()
        let user = try await first.services.users.add(name: "jeff")
        try await first.register(phone, for: user)
        let follower = Task { await second.services.keys.followChanges() }
        defer { follower.cancel() }
        try await first.services.replaceKeys()
        #expect(link.sent.contains(.changed(.keys)))
        let key = try first.services.keys.current(.serverData).id
        while try second.services.keys.current(.serverData).id != key { await Task.yield() }
        let request = try await first.authenticationRequest(for: "jeff")
        let answer = await second.answerAuthentication(try first.client.answer(request, with: [phone]))
        #expect(answer.message.statusCode == .ok)
    }

    // MARK: - The audit

    @Test("A sign-in in band tells other processes nothing: nothing can wait for it")
    func silentSignIn() async throws {
        let (first, second) = try await servers()
        try await first.register(phone, for: try await first.services.users.add(name: "jeff"))
        #expect(try await second.authenticate("jeff", with: phone).message.statusCode == .ok)
        #expect(link.sent.isEmpty)
    }

    @Test(
        "Where a subscriber follows the audit, the process that leads is told of a sign-in at another one",
        .timeLimit(.minutes(10)))
    func followedSignIn() async throws {
        let pause = UntimedPause()
        let first = try await TestServer(authenticators: [phone], pause: pause, processes: link.ports())
        let second = try await TestServer(
            authenticators: [phone], store: .of(first), processes: link.ports(leadership: ProcessLink.Follower()))
        try await first.register(phone, for: try await first.services.users.add(name: "jeff"))
        let (reader, other) = (SignInReader(), SignInReader())
        let leading = AuditFollower([reader], of: first.services, transactions: first.openID)
        try await leading.begin()
        // Each process has the same subscribers; the second one leads nothing.
        _ = AuditFollower([other], of: second.services, transactions: second.openID)
        let running = Task { await leading.run() }
        defer { running.cancel() }
        var waits = pause.waits.makeAsyncIterator()
        await waits.next()
        #expect(try await second.authenticate("jeff", with: phone).message.statusCode == .ok)
        #expect(link.sent == [.changed(.audit)])
        var seen = reader.seen.stream.makeAsyncIterator()
        #expect(await seen.next() != nil)
    }

    /// Subscriber that tells of each sign-in.
    private final class SignInReader: AuditSubscriber {
        let name = "reader"
        let kinds: Set<AuditEvent.Kind> = [.signedIn]
        let seen = AsyncStream<Int64>.makeStream()

        func prepare(
            _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
        ) async throws(ServerError) -> AuditSubscriberEffect {
            for record in records { seen.continuation.yield(record.sequence) }
            return .nothing
        }
    }

    // MARK: - Maintenance

    @Test("Only the process that leads forgets; when it is gone the other one does")
    func retention() async throws {
        let leadership = PassingLeadership()
        let first = try await TestServer(
            authenticators: [phone], processes: link.ports(leadership: leadership.port(1)))
        let second = try await TestServer(
            authenticators: [phone], store: .of(first), processes: link.ports(leadership: leadership.port(2)))
        let user = try await first.services.users.add(name: "jeff")
        try await first.register(phone, for: user)
        #expect(try await first.authenticate("jeff", with: phone).message.statusCode == .ok)
        first.clock.advance(by: .seconds(7_200))
        await second.services.maintain()
        #expect(try await first.consumedCount() > 0)
        leadership.kill(1)
        await second.services.maintain()
        #expect(try await first.consumedCount() == 0)
    }

    /// Leadership of the process with the lowest number that lives.
    private final class PassingLeadership: Sendable {
        private struct Port: Leadership {
            let leadership: PassingLeadership
            let number: Int

            func leads(_ duty: LeadershipDuty) async -> Bool { leadership.alive.withLock { $0.min() } == number }
        }

        private let alive = Mutex<Set<Int>>([1, 2])

        func port(_ number: Int) -> any Leadership { Port(leadership: self, number: number) }
        func kill(_ number: Int) { alive.withLock { _ = $0.remove(number) } }
    }
}

extension TestServer {
    /// Challenges that are remembered as used.
    fileprivate func consumedCount() async throws -> Int {
        try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT 1 FROM consumed_challenges", []).count
        }
    }
}
