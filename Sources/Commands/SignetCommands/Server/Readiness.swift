import ServerHTTP
import ServiceLifecycle

/// Says that the server is going, before it does.
///
/// It stands last in the service group, so that it is the first to be stopped.
struct Readiness: Service {
    let health: ServerHealth

    func run() async throws {
        try? await gracefulShutdown()
        health.setReady(false)
    }
}
