import BackendAPI
import Crypto
import Octets
import Synchronization
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCore

@Suite("Keys of the server")
struct KeyServiceTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let user: User

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        user = try await server.services.users.add(name: "jeff")
        try await server.register(phone, for: user)
    }

    private func keys(_ purpose: KeyPurpose) async throws -> [WrappedKey] {
        try await server.storage.keys.keys().filter { $0.purpose == purpose }
    }

    private func prefix(_ request: AuthenticationRequest) throws -> Substring {
        // Version and identifier of the key are the first 17 bytes.
        try #require(request.header.serverData).text.prefix(22)
    }

    @Test("A new key is used a minute after it was made, when every process knows it")
    func activation() async throws {
        let before = try prefix(try await server.authenticationRequest(for: "jeff"))
        try await server.services.keys.rotate()
        server.clock.advance(by: .milliseconds(59_999))
        #expect(try prefix(try await server.authenticationRequest(for: "jeff")) == before)
        server.clock.advance(by: .milliseconds(1))
        #expect(try prefix(try await server.authenticationRequest(for: "jeff")) != before)
    }

    @Test("The secret of TLS session tickets belongs to the key that seals: another one a minute after a rotation")
    func ticketSecret() async throws {
        let keys = server.services.keys
        let before = try keys.ticketSecret()
        #expect(before.bitCount == 256)
        try await keys.rotate()
        server.clock.advance(by: .milliseconds(59_999))
        #expect(try keys.ticketSecret() == before)
        server.clock.advance(by: .milliseconds(1))
        #expect(try keys.ticketSecret() != before)
    }

    @Test("When all keys are replaced the secret of TLS session tickets is another one at once")
    func replacedTicketSecret() async throws {
        let before = try server.services.keys.ticketSecret()
        try await server.services.replaceKeys()
        #expect(try server.services.keys.ticketSecret() != before)
    }

    @Test("SRV-22: while phones sign in side by side keys are rotated under their requests, and every one succeeds")
    func rotationUnderLoad() async throws {
        let rounds = Rounds()
        let (requests, announcement) = AsyncStream<Void>.makeStream()
        let phones = try await phonesOfOtherUsers(count: 6)
        let crossed = try await withThrowingTaskGroup(of: Int.self) { group in
            for (name, phone) in phones {
                group.addTask {
                    try await signIns(of: phone, named: name, while: rounds, announcement)
                }
            }
            try await rotate(under: requests, counting: rounds)
            return try await group.reduce(0, +)
        }
        #expect(crossed > 0, "no sign-in was under way during a rotation")
        #expect(try await keys(.serverData).count > 1)
    }

    /// Signs in until the last rotation; returns how many requests were answered behind a rotation.
    private func signIns(
        of phone: SyntheticAuthenticator, named name: String, while rounds: Rounds,
        _ announcement: AsyncStream<Void>.Continuation
    ) async throws -> Int {
        var crossed = 0
        while rounds.count < Self.rotationCount {
            let before = rounds.count
            let request = try await server.authenticationRequest(for: name)
            announcement.yield()
            await Task.yield()
            let answer = await server.answerAuthentication(try server.client.answer(request, with: [phone]))
            #expect(answer.message.statusCode == .ok)
            let token = try #require(answer.message.token(.jwt))
            #expect(try await server.services.tokens.grant(forToken: token) != nil)
            if rounds.count > before { crossed += 1 }
        }
        return crossed
    }

    /// Rotates when some requests are out; all rotations together take less time than an answer may.
    private func rotate(under requests: AsyncStream<Void>, counting rounds: Rounds) async throws {
        var waited = 0
        for await _ in requests {
            waited += 1
            guard waited.isMultiple(of: 5) else { continue }
            try await server.services.keys.rotate()
            server.clock.advance(by: .seconds(45))
            await server.services.maintain()
            guard rounds.next() < Self.rotationCount else { return }
        }
    }

    private static let rotationCount = 9

    /// Rotations so far.
    private final class Rounds: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func next() -> Int {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }

    private func phonesOfOtherUsers(count: Int) async throws -> [(name: String, phone: SyntheticAuthenticator)] {
        var phones: [(name: String, phone: SyntheticAuthenticator)] = []
        for number in 0..<count {
            let phone = try SyntheticAuthenticator()
            let user = try await server.services.users.add(name: "phone\(number)")
            try await server.register(phone, for: user)
            phones.append((user.name.text, phone))
        }
        return phones
    }

    @Test("Another process takes a new key from the store before it is used")
    func polling() async throws {
        let second = try await TestServer(authenticators: [phone], store: .of(server))
        try await server.services.keys.rotate()
        await second.services.maintain()
        server.clock.advance(by: .seconds(61))
        let request = try await server.authenticationRequest(for: "jeff")
        let answer = await second.answerAuthentication(try server.client.answer(request, with: [phone]))
        #expect(answer.message.statusCode == .ok)
    }

    @Test("Keys are replaced daily and removed when nothing they made is valid any more")
    func dailyRotation() async throws {
        let first = try #require(try await keys(.serverData).first)
        await server.services.maintain()
        #expect(try await keys(.serverData).count == 1)
        server.clock.advance(by: KeyService.rotationInterval)
        await server.services.maintain()
        #expect(try await keys(.serverData).count == 2)
        server.clock.advance(by: .seconds(60 + 600 + 60))
        await server.services.maintain()
        #expect(try await keys(.serverData).contains { $0.id == first.id })
        server.clock.advance(by: .milliseconds(1))
        await server.services.maintain()
        #expect(try await !keys(.serverData).contains { $0.id == first.id })
    }

    @Test("Keys of receipts last a year, and their signatures are verified by the keys that made them")
    func yearlyRotation() async throws {
        let first = try #require(try await keys(.receiptSigning).first)
        server.clock.advance(by: KeyService.rotationInterval)
        await server.services.maintain()
        #expect(try await keys(.receiptSigning).map(\.id) == [first.id])
        #expect(try await keys(.idToken).count == 2)
        server.clock.advance(by: .seconds(365 * 86_400))
        await server.services.maintain()
        #expect(try await keys(.receiptSigning).count == 2)
        #expect(server.services.keys.publicKeys(of: .receiptSigning).count == 2)
    }

    @Test("A key on demand is there, and signs, as soon as it was asked for, and not before")
    func onDemand() async throws {
        await server.services.maintain()
        try await server.services.keys.rotate()
        try await server.services.keys.replaceAll()
        #expect(try await keys(.idTokenRSA).isEmpty)
        #expect(throws: ServerError.storageUnavailable) { try server.services.keys.signer(for: .idTokenRSA) }
        try await server.services.keys.provide(.idTokenRSA)
        try await server.services.keys.provide(.idTokenRSA)
        #expect(try await keys(.idTokenRSA).count == 1)
        #expect(try server.services.keys.signer(for: .idTokenRSA).publicKey != nil)
    }

    @Test("The secret of the decoys is never replaced")
    func decoySecret() async throws {
        let before = try await keys(.decoy)
        server.clock.advance(by: KeyService.rotationInterval)
        await server.services.maintain()
        try await server.services.keys.replaceAll()
        #expect(try await keys(.decoy) == before)
    }

    @Test("After a restore nothing made before is valid any more")
    func replacement() async throws {
        let request = try await server.authenticationRequest(for: "jeff")
        let login = try await server.authenticate("jeff", with: phone)
        let token = try #require(login.message.token(.jwt))
        try await server.services.keys.replaceAll()
        let answer = await server.answerAuthentication(try server.client.answer(request, with: [phone]))
        #expect(answer.message.statusCode == .unacceptableContent)
        #expect(try await server.services.tokens.grant(forToken: token) == nil)
        #expect(try await server.authenticate("jeff", with: phone).message.statusCode == .ok)
    }

    @Test("Another master key does not open the stored keys")
    func wrongMasterKey() async throws {
        let other = try MasterKey(SecretOctets(copying: Array(repeating: 8, count: 32)))
        let keys = KeyService(
            store: server.storage.keys, masterKey: other, clock: server.clock, random: server.random)
        await #expect(throws: ServerError.wrongMasterKey) { try await keys.start() }
        #expect(throws: ServerError.invalidMasterKey) { try MasterKey(SecretOctets(copying: [1, 2, 3])) }
    }

    @Test("Of two looks at the store the one that has begun last counts, also when the other one ends behind it")
    func looks() async throws {
        let store = HeldKeyStore(server.storage.keys)
        let keys = KeyService(
            store: store, masterKey: try TestServer.masterKey(), clock: server.clock, random: server.random)
        try await keys.poll()
        let before = keys.keys(.serverData).count
        store.hold()
        async let late: Void = keys.poll()
        while !store.isHolding { await Task.yield() }
        try await server.services.keys.rotate()
        try await keys.poll()
        #expect(keys.keys(.serverData).count == before + 1)
        store.release()
        try await late
        #expect(keys.keys(.serverData).count == before + 1)
    }

    @Test("The store holds no key in the clear, and a wrapped key is bound to its purpose")
    func wrapping() async throws {
        let stored = try #require(try await keys(.serverData).first)
        #expect(stored.wrapped.count == 32 + 12 + 16)
        let moved = WrappedKey(
            id: stored.id, purpose: .decoy, createdAt: stored.createdAt, activeFrom: stored.activeFrom,
            wrapped: stored.wrapped)
        try await server.storage.keys.remove([stored.id])
        try await server.storage.keys.replace(
            with: [moved], restarting: nil, event: AuditEvent(.keysRotated, at: server.clock.now()))
        await #expect(throws: ServerError.wrongMasterKey) { try await server.services.keys.poll() }
    }
}

/// Store of keys that keeps the result of one look back.
private final class HeldKeyStore: KeyStore {
    private struct State {
        var holdsNext = false
        var isHolding = false
        var isReleased = false
    }

    private let inner: any KeyStore
    private let state = Mutex(State())

    init(_ inner: any KeyStore) {
        self.inner = inner
    }

    /// Whether a result is kept back.
    var isHolding: Bool { state.withLock { $0.isHolding } }

    /// Keeps the result of the next look back.
    func hold() { state.withLock { $0.holdsNext = true } }

    func release() { state.withLock { $0.isReleased = true } }

    func keys() async throws(ServerError) -> [WrappedKey] {
        let keys = try await inner.keys()
        let isHeld = state.withLock { state in
            defer { state.holdsNext = false }
            state.isHolding = state.isHolding || state.holdsNext
            return state.holdsNext
        }
        if isHeld { while !state.withLock({ $0.isReleased }) { await Task.yield() } }
        return keys
    }

    func add(
        _ keys: [WrappedKey], unlessMadeAfter newest: Timestamp?, event: AuditEvent
    ) async throws(ServerError) -> Bool {
        try await inner.add(keys, unlessMadeAfter: newest, event: event)
    }

    func addFirst(_ key: WrappedKey) async throws(ServerError) { try await inner.addFirst(key) }

    func remove(_ ids: [ServerKeyID]) async throws(ServerError) { try await inner.remove(ids) }

    func replace(
        with keys: [WrappedKey], restarting time: ServerTimeRecord?, event: AuditEvent
    ) async throws(ServerError) {
        try await inner.replace(with: keys, restarting: time, event: event)
    }
}
