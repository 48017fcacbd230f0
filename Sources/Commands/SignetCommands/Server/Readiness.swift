import ServerHTTP
import ServiceLifecycle

/// Says that the server is going, before it does.
///
/// It stands last in the service group, so that it is the first to be stopped; the listeners close when it has ended.
struct Readiness: Service {
    let health: ServerHealth
    /// Time between saying so and closing the listeners, in which a balancer finds other servers.
    let drainTime: Duration

    func run() async throws {
        try? await gracefulShutdown()
        health.setReady(false)
        try? await Task.sleep(for: drainTime)
    }
}
