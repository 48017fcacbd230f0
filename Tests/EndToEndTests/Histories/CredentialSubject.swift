import BackendAPI
import BackendTransport
import Linearizability
import ServerCore
import Synchronization
import TestSupport
import Testing
import UAF

/// Credentials that are registered, used and removed, each once, by several clients at the same time.
///
/// A key is not registered anew after its removal: a request for an authentication names the registrations of its time.
/// A blow may leave one behind, and a user may have a hundred, so that after some rounds clients work for other users.
final class CredentialSubject: HistorySubject {
    /// Users who own credentials at the same time: one for each client, as a user may have so many only.
    private static let ownerCount = 3
    /// Rounds after which others own them.
    private static let roundsPerOwner = 30

    let users: [String]
    /// Keys that stay, whose logins allow the removal of the others.
    private let keys: [SyntheticAuthenticator]
    private let recorder = HistoryRecorder<CredentialModel>()
    /// Rounds that have ended.
    private let rounds = Mutex(0)
    /// Credentials under their names in the history.
    private let credentials = Mutex<[String: CredentialID]>([:])
    /// Lives that a blow has cut off: it is open whether the key was registered, or whether it was removed.
    private let interrupted = Mutex<[Life]>([])

    /// Prepares owners for some rounds.
    init(roundCount: Int) throws {
        users = (0..<(roundCount / Self.roundsPerOwner + 1) * Self.ownerCount).map { "owner\($0)" }
        keys = try users.map { _ in try SyntheticAuthenticator() }
    }

    func begin(_ load: HistoryLoad) async throws {
        for (user, key) in zip(users, keys) {
            let request = try #require(try await load.registrationRequest(for: try username(user), from: 0))
            let message = try client.answer(request, with: [key])
            let verdict = try await load.verdict(.registrationResponse, on: message, from: 0)
            try #require(verdict?.statusCode == .ok)
        }
    }

    /// Lives through one credential.
    func work(_ load: HistoryLoad, as client: Int, _ generator: inout SeededGenerator) async throws {
        let round = rounds.withLock { $0 }
        let owner = (round / Self.roundsPerOwner * Self.ownerCount + client % Self.ownerCount) % users.count
        guard let token = try await login(owner, load, client) else { return }
        let life = try newLife(owner, load, client)
        guard try await register(life) else { return interrupted.withLock { $0.append(life) } }
        let pause = Duration.milliseconds(Int.random(in: 0...20, using: &generator))
        let late = try await load.authenticationRequest(for: life.user, from: client)
        let isRemoved = try await withThrowingTaskGroup(of: Bool.self) { group in
            for counter in [2, 3, 3, 4] as [UInt32] {
                group.addTask { [self] in
                    let request = try await load.authenticationRequest(for: life.user, from: client)
                    if let request { try await use(life, counter, request) }
                    return true
                }
            }
            group.addTask { [self] in
                try await Task.sleep(for: pause)
                return try await remove(life, token) != nil
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        if let late { try await use(life, 9, late) }
        if !isRemoved { interrupted.withLock { $0.append(life) } }
    }

    /// Uses each credential of a life that was cut off, twice: what was acknowledged of it has to be there.
    func settle(_ load: HistoryLoad) async throws {
        for life in interrupted.withLock({ $0 }) {
            for counter in [20, 20] as [UInt32] {
                let request = try await load.authenticationRequest(for: life.user, from: life.client)
                if let request { try await use(life.going(over: load), counter, request) }
            }
        }
    }

    func endUnanswered() {
        recorder.endUnanswered()
        rounds.withLock { $0 += 1 }
    }

    var report: LinearizabilityReport { recorder.report("credential") { _ in CredentialModel() } }

    var claims: [AuditClaim] {
        let credentials = credentials.withLock { $0 }
        return recorder.recorded.flatMap { name, history -> [AuditClaim] in
            guard let subject = credentials[name].map({ AuditClaim.subject($0) }) else { return [] }
            return [
                AuditClaim(.registrationSucceeded, about: subject, history) { call in
                    if case .register = call { true } else { false }
                },
                AuditClaim(.signedIn, about: subject, history) { call in
                    if case .authenticate = call { true } else { false }
                },
            ]
        }
    }

    // MARK: - Steps

    /// Credential under way.
    private struct Life: Sendable {
        let key: SyntheticAuthenticator
        let name: String
        let user: UserName
        let load: HistoryLoad
        let client: Int

        /// The key with a counter.
        func signer(_ counter: UInt32) -> SyntheticAuthenticator {
            var key = key
            key.counters = Counters(signatures: counter, registrations: 1)
            return key
        }

        /// The same credential over another way to the servers.
        func going(over load: HistoryLoad) -> Life {
            Life(key: key, name: name, user: user, load: load, client: client)
        }
    }

    /// A new key of an owner.
    private func newLife(_ owner: Int, _ load: HistoryLoad, _ client: Int) throws -> Life {
        let key = try SyntheticAuthenticator()
        let credential = try #require(key.credential)
        let name = credentials.withLock { credentials in
            let name = "of \(users[owner]) \(credentials.count + 1)"
            credentials[name] = credential
            return name
        }
        return Life(key: key, name: name, user: try username(users[owner]), load: load, client: client)
    }

    /// Token of a login with the key that stays; nil when no answer came.
    private func login(_ owner: Int, _ load: HistoryLoad, _ client: Int) async throws -> String? {
        guard let request = try await load.authenticationRequest(for: try username(users[owner]), from: client) else {
            return nil
        }
        let message = try self.client.answer(request, with: [keys[owner]])
        let verdict = try await load.verdict(
            .authenticationResponse, on: message, from: client, isEffect: false)
        guard let verdict else { return nil }
        #expect(verdict.statusCode == .ok || verdict.statusCode == .internalServerError)
        return verdict.token(.jwt)
    }

    /// Registers, by two responses at the same time; whether the key is known to be registered.
    private func register(_ life: Life) async throws -> Bool {
        let answers = try await withThrowingTaskGroup(of: Decision?.self) { group in
            for copy in 0..<2 {
                group.addTask { [self] in
                    let request = try await life.load.registrationRequest(for: life.user, from: life.client + copy)
                    guard let request else { return nil }
                    let message = try client.answer(request, with: [life.signer(1)])
                    return try await recorder.perform(
                        .register(counter: 1), on: life.name, by: "client \(life.client).\(copy)"
                    ) {
                        try await life.load.verdict(.registrationResponse, on: message, from: life.client + copy)?
                            .statusCode.decision
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return answers.contains { $0 != nil }
    }

    private func use(_ life: Life, _ counter: UInt32, _ request: AuthenticationRequest) async throws {
        let message = try client.answer(request, with: [life.signer(counter)])
        try await recorder.perform(
            .authenticate(counter: counter), on: life.name, by: "client \(life.client).\(counter)"
        ) {
            try await life.load.verdict(.authenticationResponse, on: message, from: life.client + Int(counter))?
                .statusCode.decision
        }
    }

    /// Removes the key; nil when no answer came.
    private func remove(_ life: Life, _ token: String) async throws -> Decision? {
        let id = try #require(life.key.credential)
        let body = GetUAFRequest(DeregistrationContext(username: life.user, scope: .keys([id]))).body
        return try await recorder.perform(.remove, on: life.name, by: "client \(life.client)") {
            let answer = await life.load.answer(.deregistrationRequest, body, key: token, from: life.client)
            guard let answer, answer.status == 200 else { return nil }
            let status = try ReturnUAFRequest(body: answer.body).statusCode
            #expect(status == .ok || status == .internalServerError, "\(life.name): the login has not ended")
            return status == .ok ? .accepted : nil
        }
    }
}
