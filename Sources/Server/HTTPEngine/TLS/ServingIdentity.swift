package import Crypto
import NIOSSL
import Synchronization

/// Identity with which a listener answers new connections, and which can be replaced while it listens.
///
/// Connections that exist keep the certificate that they were made with until they are closed.
package final class ServingIdentity: Sendable {
    private struct Generation {
        let chainPEM: String
        let context: NIOSSLContext
        var connectionCount = 0

        init(_ identity: ServerIdentity) throws(ServerIdentityError) {
            let configuration = try identity.tlsConfiguration()
            do {
                context = try NIOSSLContext(configuration: configuration)
            } catch {
                throw .unusableCertificate
            }
            chainPEM = identity.chainPEM
        }

        func useTickets(of secret: SymmetricKey) -> Bool {
            SessionTickets(secret: secret, chainPEM: chainPEM).use(in: context)
        }
    }

    private struct State {
        var number = 0
        var current: Generation
        /// Earlier generations that connections still have.
        var former: [Int: Generation] = [:]
        /// Secret that the keys of session tickets are derived from; nil until there is one: each process has its own keys.
        var ticketSecret: SymmetricKey?
    }

    private let state: Mutex<State>

    /// Begins with an identity; throws ``ServerIdentityError/unusableCertificate``.
    package init(_ identity: ServerIdentity) throws(ServerIdentityError) {
        state = Mutex(State(current: try Generation(identity)))
    }

    /// Uses another identity for new connections; true when its certificate is another one.
    ///
    /// Throws ``ServerIdentityError/unusableCertificate``, and changes nothing, when chain and key cannot be used.
    package func replace(with identity: ServerIdentity) throws(ServerIdentityError) -> Bool {
        let fresh = try Generation(identity)
        return state.withLock { state in
            guard state.current.chainPEM != fresh.chainPEM else { return false }
            if let secret = state.ticketSecret { _ = fresh.useTickets(of: secret) }
            if state.current.connectionCount > 0 { state.former[state.number] = state.current }
            state.number += 1
            state.current = fresh
            return true
        }
    }

    /// Issues and accepts session tickets with keys from this secret, like all processes that have it and the same
    /// certificate (``SessionTickets``).
    ///
    /// Tickets of another secret are not accepted from now on. False when the TLS library does not take the keys:
    /// tickets then work in this process only.
    package func shareTickets(of secret: SymmetricKey) -> Bool {
        state.withLock { state in
            guard state.ticketSecret != secret else { return true }
            guard state.current.useTickets(of: secret) else { return false }
            state.ticketSecret = secret
            return true
        }
    }

    package var chainPEM: String { state.withLock { $0.current.chainPEM } }

    /// The chains in PEM form of the identity in use, and of those that connections still have.
    package var chains: [String] {
        state.withLock { state in [state.current.chainPEM] + state.former.values.map(\.chainPEM) }
    }

    /// Context of a new connection, which counts until ``leave(_:)`` is called with the number of its generation.
    func enter() -> (context: NIOSSLContext, generation: Int) {
        state.withLock { state in
            state.current.connectionCount += 1
            return (state.current.context, state.number)
        }
    }

    func leave(_ generation: Int) {
        state.withLock { state in
            guard generation != state.number else {
                state.current.connectionCount -= 1
                return
            }
            state.former[generation]?.connectionCount -= 1
            if state.former[generation]?.connectionCount == 0 { state.former[generation] = nil }
        }
    }
}
