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
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            group.addTask {
                for await origin in origins { return try await body(origin) }
                throw NeverStarted()
            }
            try await group.next()
            group.cancelAll()
        }
    }
}
