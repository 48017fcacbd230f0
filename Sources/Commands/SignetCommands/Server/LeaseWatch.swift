import Logging
import ServiceLifecycle

/// Stops the server when a successor asks for its lease: the end of this service stops the group it is in.
struct LeaseWatch: Service {
    let lease: InstanceLease
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await lease.handoverAsked()
            if !Task.isCancelled { logger.notice("another process takes over") }
        }
    }
}
