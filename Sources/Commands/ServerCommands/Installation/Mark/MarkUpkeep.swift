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
        let isFailing = await cancelWhenGracefulShutdown {
            var isFailing = false
            while (try? await Task.sleep(for: Self.interval)) != nil {
                isFailing = await !advance(isFailing: isFailing)
            }
            return isFailing
        }
        _ = await advance(isFailing: isFailing)
    }

    /// Writes the marks; false when that failed.
    ///
    /// What fails is tried again later, and told once until it works. A database that was put back beneath the server keeps its mark, so
    /// that no server starts on it.
    private func advance(isFailing: Bool) async -> Bool {
        do {
            try await marks.advance(at: SystemWallClock().now())
            return true
        } catch {
            guard !isFailing else { return false }
            logger.error(
                "the mark of the database was not written",
                metadata: ["error": "\(CommandFailure(serving: error).message)"])
            return false
        }
    }
}
