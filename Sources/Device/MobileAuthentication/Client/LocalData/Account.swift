import Locking

/// The name by which a server knows a user.
public typealias Username = String

/// A user who is registered with a server on this device.
public protocol Account: Encodable, Hashable, Sendable {
    /// The name by which the server knows the user.
    var username: Username { get }
    /// The server the user is registered with.
    var server: any Server { get }
}

/// An account as the credential store knows it.
struct RegisteredAccount: Account {
    let username: Username
    private let registeredServer: RegisteredServer

    var server: any Server { registeredServer }

    init(username: Username, server: RegisteredServer) {
        self.username = username
        registeredServer = server
    }

    private enum CodingKeys: String, CodingKey {
        case username
        case registeredServer = "server"
    }
}

/// Observers of the accounts of the device, one stream each.
final class AccountWatchers: Sendable {
    private struct State {
        var next = 0
        var continuations: [Int: AsyncStream<[any Account]>.Continuation] = [:]
        var told: [Int: [RegisteredAccount]] = [:]
    }

    private let state = Lock(State())

    /// A stream for a further observer; it begins with the current accounts.
    func stream(beginningWith accounts: [RegisteredAccount]) -> AsyncStream<[any Account]> {
        let (stream, continuation) = AsyncStream<[any Account]>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            state.told[state.next] = accounts
            continuation.yield(accounts)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.forget(id) }
        return stream
    }

    /// Notifies every observer for whom something has changed.
    func tell(_ accounts: [RegisteredAccount]) {
        state.withLock { state in
            for (id, continuation) in state.continuations where state.told[id] != accounts {
                state.told[id] = accounts
                continuation.yield(accounts)
            }
        }
    }

    private func forget(_ id: Int) {
        state.withLock { state in
            state.continuations[id] = nil
            state.told[id] = nil
        }
    }

    deinit { for continuation in state.withLock({ $0.continuations.values.map { $0 } }) { continuation.finish() } }
}
