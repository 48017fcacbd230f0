import NIOCore
import NIOPosix

/// Timer of the event loops, which need no further thread for it.
package enum EventLoopTimer {
    /// Lets a short time pass, also when the task is cancelled meanwhile.
    @Sendable
    package static func sleep(_ time: Duration) async {
        await withCheckedContinuation { continuation in
            // The loop of the caller, when it runs on one.
            _ = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(time)) { continuation.resume() }
        }
    }
}
