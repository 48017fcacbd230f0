import BackendAPI
import BackendTransport
import Linearizability
import Synchronization
import TestSupport
import Testing
import UAF

/// Credentials that are registered, used and removed, each once, by several clients at the same time.
///
/// A key is not registered anew after its removal: a request for an authentication names the registrations of its time.
/// A kill may leave one behind, and a user may have a hundred, so a run has fewer kills than that.
final class CredentialSubject: HistorySubject {
    /// One for each client, as a user may have so many credentials only.
    let users = ["owner0", "owner1", "owner2"]
    /// Keys that stay, whose logins allow the removal of the others.
    private let keys: [SyntheticAuthenticator]
    private let recorder = HistoryRecorder<CredentialModel>()
    private let names = Mutex(0)

    init() throws {
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
        let owner = client % users.count
        let life = Life(
            key: try SyntheticAuthenticator(), name: "of \(users[owner]) \(nextName())",
            user: try username(users[owner]), load: load, client: client)
        guard let token = try await login(owner, load, client), try await register(life) else { return }
        let pause = Duration.milliseconds(Int.random(in: 0...20, using: &generator))
        let late = try await load.authenticationRequest(for: life.user, from: client)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for counter in [2, 3, 3, 4] as [UInt32] {
                group.addTask { [self] in
                    let request = try await load.authenticationRequest(for: life.user, from: client)
                    if let request { try await use(life, counter, request) }
                }
            }
            group.addTask { [self] in
                try await Task.sleep(for: pause)
                try await remove(life, token)
            }
            try await group.waitForAll()
        }
        if let late { try await use(life, 9, late) }
    }

    func endUnanswered() { recorder.endUnanswered() }

    var report: LinearizabilityReport { recorder.report("credential") { _ in CredentialModel() } }

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
    }

    private func nextName() -> Int {
        names.withLock { number in
            number += 1
            return number
        }
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

    private func remove(_ life: Life, _ token: String) async throws {
        let id = try #require(life.key.credential)
        let body = GetUAFRequest(DeregistrationContext(username: life.user, scope: .keys([id]))).body
        try await recorder.perform(.remove, on: life.name, by: "client \(life.client)") {
            let answer = await life.load.answer(.deregistrationRequest, body, key: token, from: life.client)
            guard let answer, answer.status == 200 else { return nil }
            let status = try ReturnUAFRequest(body: answer.body).statusCode
            #expect(status == .ok || status == .internalServerError, "\(life.name): nobody has ended the login")
            return status == .ok ? .accepted : nil
        }
    }
}
