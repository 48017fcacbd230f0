import ServiceLifecycle
import UnixSignals

/// Service that checks configuration and metadata for changes: at an interval, and at once on SIGHUP.
struct ReloadService: Service {
    private enum Occasion {
        case interval, hangup
    }

    let watch: DeploymentWatch
    let interval: Duration
    /// SIGHUP, trapped before the server is announced as ready.
    let hangups: UnixSignalsSequence

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let (occasions, continuation) = AsyncStream.makeStream(of: Occasion.self)
            await withDiscardingTaskGroup { group in
                group.addTask {
                    while (try? await Task.sleep(for: interval)) != nil { continuation.yield(.interval) }
                }
                group.addTask {
                    for await _ in hangups { continuation.yield(.hangup) }
                }
                var watch = watch
                for await occasion in occasions {
                    switch occasion {
                    case .interval: await watch.look()
                    case .hangup: await watch.reload()
                    }
                }
            }
        }
    }
}
