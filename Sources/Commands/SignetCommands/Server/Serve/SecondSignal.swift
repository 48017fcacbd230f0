import ServiceLifecycle
import UnixSignals

/// Ends the server at once when it is told to stop a second time.
///
/// It stands first in the service group, so that it is the last to be stopped and watches while the others finish.
struct SecondSignal: Service {
    /// The operator did not want to wait.
    struct Impatience: Error {}

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var count = 0
            for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
                count += 1
                if count == 2 { throw Impatience() }
            }
        }
    }
}
