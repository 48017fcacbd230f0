import CommandSupport
import Logging
import ServerCommandSupport
import ServerCore
import ServiceLifecycle

/// Service that goes on with the marks while the server runs, and once more when it ends.
///
/// A copy of the database that is made meanwhile falls behind within seconds.
struct MarkUpkeep: Service {
    private static let interval: Duration = .seconds(10)

    let marks: DatabaseMarks
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { await advance() }
        }
        await advance()
    }

    /// Tries again later what fails; a database that was put back beneath the server keeps its mark, so that no server starts
    /// on it.
    private func advance() async {
        do {
            try await marks.advance(at: SystemWallClock().now())
        } catch {
            logger.error(
                "the mark of the database was not written",
                metadata: ["error": "\(CommandFailure(serving: error).message)"])
        }
    }
}
