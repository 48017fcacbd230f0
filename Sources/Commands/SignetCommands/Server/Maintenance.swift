import ServerCore
import ServiceLifecycle

/// Keys and clearing up, beside the listeners, until everything else has stopped.
struct Maintenance: Service {
    let services: ServerServices

    func run() async throws {
        await cancelWhenGracefulShutdown { await services.run() }
    }
}
