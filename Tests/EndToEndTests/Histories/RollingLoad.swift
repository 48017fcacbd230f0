import BackendAPI
import BackendTransport
import Synchronization
import UAF

/// Requests that go on while servers are restarted, each client over connections that it keeps.
final class RollingLoad: Sendable {
    private struct State {
        var isOver = false
        var answerCount = 0
        var failures: [String] = []
    }

    private let address: String
    private let makeTransport: @Sendable () throws -> any HTTPTransport
    private let state = Mutex(State())

    init(address: String, _ makeTransport: @escaping @Sendable () throws -> any HTTPTransport) {
        self.address = address
        self.makeTransport = makeTransport
    }

    var answerCount: Int { state.withLock { $0.answerCount } }
    var failures: [String] { state.withLock { $0.failures } }
    private var isOver: Bool { state.withLock { $0.isOver } }

    func end() { state.withLock { $0.isOver = true } }

    /// Asks for the key set, some twenty times a second.
    func ask() async throws {
        let (transport, request) = (try makeTransport(), BackendRequest(.get, address + Endpoint.keySet.path))
        try await repeating {
            let status = try await transport.response(to: request).status
            guard status == 200 else { throw Portal.Refusal(status: status) }
        }
    }

    /// Begins operations, and waits for the first move of each, which never comes.
    func wait() async throws {
        let portal = Portal(at: address, over: try makeTransport())
        while !isOver {
            await note {
                let begun = try await portal.authenticate(nil, by: .link)
                _ = try await portal.status(begun.sessionID ?? "", after: .tokenCreated)
            }
        }
    }

    /// Signs in with the phones of a user; no answer may be missing.
    func signIn(_ user: LoadUser, over connection: LoadConnection) async throws {
        try await repeating { try await user.prove(connection) }
    }

    /// Does something some twenty times a second at most.
    func repeating(_ body: () async throws -> Void) async throws {
        while !isOver {
            await note(body)
            try await Task.sleep(for: .milliseconds(40))
        }
    }

    private func note(_ body: () async throws -> Void) async {
        do {
            try await body()
            state.withLock { $0.answerCount += 1 }
        } catch {
            state.withLock { $0.failures.append("\(error)") }
        }
    }
}
