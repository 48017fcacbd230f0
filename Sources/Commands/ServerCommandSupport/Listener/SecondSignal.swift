import ServiceLifecycle
import UnixSignals

/// Service that ends the server at once when it is told to stop a second time.
///
/// It is the first one of the service group, so that it is the last to be stopped and watches while the others finish.
package struct SecondSignal: Service {
    /// Error of a shutdown that the operator has cut short.
    package struct Impatience: Error {}

    package init() {}

    package func run() async throws {
        try await cancelWhenGracefulShutdown {
            var count = 0
            for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
                count += 1
                if count == 2 { throw Impatience() }
            }
        }
    }
}
