import Foundation

/// What came of one load.
struct LoadResult: Sendable {
    /// What was read from clocks around the window.
    struct Measurement: Sendable {
        /// Length of the window.
        let seconds: Double
        /// CPU time of the server within it.
        let server: ProcessTime
        /// CPU time of this process, the phones, within it.
        let generator: ProcessTime
    }

    /// The number of this process.
    static let ownProcess = ProcessInfo.processInfo.processIdentifier

    let load: Load
    let measurement: Measurement
    /// Seconds of each sign-in.
    let latencies: [Double]

    /// Sign-ins in a second of the clock on the wall.
    var perSecond: Double { Double(latencies.count) / measurement.seconds }
    /// Sign-ins in a second of the server's CPU time.
    var perServerCPUSecond: Double { Double(latencies.count) / measurement.server.total }
    /// Seconds of CPU time that the server needs for 1,000 sign-ins.
    var serverSecondsPerThousand: Double { thousandth(measurement.server.total) }
    /// The part of it that the kernel needs.
    var kernelSecondsPerThousand: Double { thousandth(measurement.server.system) }
    /// Seconds of CPU time that the phones need for 1,000 sign-ins.
    var generatorSecondsPerThousand: Double { thousandth(measurement.generator.total) }

    /// The share of all cores that server and phones keep busy together, 0 to 1.
    var busyShare: Double {
        let cores = Double(ProcessInfo.processInfo.activeProcessorCount)
        return (measurement.server.total + measurement.generator.total) / (measurement.seconds * cores)
    }

    private func thousandth(_ seconds: Double) -> Double { seconds / Double(max(latencies.count, 1)) * 1_000 }
}
