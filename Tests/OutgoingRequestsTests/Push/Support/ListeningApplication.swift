import Hummingbird
import ServiceLifecycle

/// Runs an application beside a test and stops it with the test.
enum ListeningApplication {
    /// The application never said where it listens.
    struct NeverStarted: Error {}

    /// `make` gets the callback that the application has to call with its origin.
    static func run<Responder: HTTPResponder>(
        make: (@escaping @Sendable (String) async -> Void) throws -> Application<Responder>,
        body: @escaping @Sendable (String) async throws -> Void
    ) async throws where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let (origins, announce) = AsyncStream<String>.makeStream()
        let application = try make { origin in announce.yield(origin) }
        var lifecycle = ServiceGroupConfiguration(services: [application], logger: application.logger)
        // Handlers that come to no end are cancelled then.
        lifecycle.maximumGracefulShutdownDuration = .seconds(1)
        let service = ServiceGroup(configuration: lifecycle)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask {
                var isOver = false
                for await origin in origins {
                    try await body(origin)
                    isOver = true
                    break
                }
                guard isOver else { throw NeverStarted() }
                // Not cancelled: a connection that is accepted at that moment would never be given up, and NIO ends
                // the process for that.
                await service.triggerGracefulShutdown()
            }
            while (try await group.next()) != nil {}
        }
    }
}
