import HTTPEngine
import Logging
import ServerCore
import ServiceLifecycle

/// Service that gives the listener the keys of TLS session tickets that all processes have at the time.
struct TicketRotation: Service {
    let identity: ServingIdentity?
    let keys: KeyService
    let logger: Logger

    func run() async throws {
        guard let identity else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown { await rotate(identity) }
    }

    /// Looks as often as the processes read their keys, until the task is cancelled.
    private func rotate(_ identity: ServingIdentity) async {
        var isShared = true
        while !Task.isCancelled {
            // Without a key the last ones stay in use.
            if let secret = try? keys.ticketSecret() {
                let wasShared = isShared
                isShared = identity.shareTickets(of: secret)
                if wasShared, !isShared {
                    logger.warning("TLS session tickets are of this process alone: the TLS library does not take keys")
                }
            }
            try? await Task.sleep(for: KeyService.pollInterval)
        }
    }
}
