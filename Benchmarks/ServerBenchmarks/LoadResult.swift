import Foundation

/// Result of one load.
struct LoadResult: Sendable {
    /// Clock readings for the measurement window.
    struct Measurement: Sendable {
        /// Length of the window.
        let seconds: Double
        /// CPU time of the server within it.
        let server: ProcessTime
        /// CPU time of this process, which runs the phones, within it.
        let generator: ProcessTime
    }

    /// Process ID of this process.
    static let ownProcess = ProcessInfo.processInfo.processIdentifier

    let load: Load
    let measurement: Measurement
    /// Operations that succeeded in the measurement window.
    let count: Int

    /// Operations per second of wall-clock time.
    var perSecond: Double { Double(count) / measurement.seconds }
    /// Operations per second of the server's CPU time.
    var perServerCPUSecond: Double { Double(count) / measurement.server.total }
    /// Seconds of the server's CPU time for 1,000 operations.
    var serverSecondsPerThousand: Double { thousandth(measurement.server.total) }
    /// The kernel's part of it.
    var kernelSecondsPerThousand: Double { thousandth(measurement.server.system) }
    /// Seconds of the phones' CPU time for 1,000 operations.
    var generatorSecondsPerThousand: Double { thousandth(measurement.generator.total) }

    /// Share of all cores that server and phones keep busy together, 0 to 1.
    var busyShare: Double {
        let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
        return (measurement.server.total + measurement.generator.total) / (measurement.seconds * cores)
    }

    /// Share of all cores above which server and phones compete for CPU time.
    private static let saturation = 0.85

    /// Sentence about what limits the rate.
    var limit: String {
        let busy = Int((busyShare * 100).rounded())
        let reason =
            if busyShare >= Self.saturation {
                "the cores, which phones and server share, limit the rate"
            } else if load.phoneCount == 1 {
                "waiting for the disk and for each other limits the rate"
            } else {
                "the cores are not full: the disk or other work on this machine limits the rate"
            }
        return "\(load.name): server and phones kept \(busy) % of the cores busy; \(reason)."
    }

    private func thousandth(_ seconds: Double) -> Double { seconds / Double(max(count, 1)) * 1_000 }
}
